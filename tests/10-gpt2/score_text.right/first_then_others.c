/* The first window on its own; every other one scores what lies between the end of the
 * one before it and its own end. */
#include "10-gpt2/score_text.h"

static double score(const Gpt2 *model, const int *tokens, size_t begin, size_t from,
                    size_t end) {
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = tokens + begin, .batch = 1, .length = end - begin - 1};
    const Tensor *hidden = gpt2_hidden(&t, model, &input);
    const float *rows = hidden->data + (from - begin - 1) * model->config.block.d_model;
    double nats = nats_of_rows(&t, model, rows, tokens + from, end - from);
    tape_free(&t);
    return nats;
}

static size_t at_most(size_t a, size_t b) {
    return a < b ? a : b;
}

Evaluation score_text(const Gpt2 *model, const int *tokens, size_t n, size_t stride) {
    size_t span = model->config.n_ctx + 1, begin = 0, end = at_most(span, n);
    Evaluation e = {n - 1, 1, score(model, tokens, 0, 1, end)};
    while (end < n) {
        begin += stride;
        size_t new_end = at_most(begin + span, n);
        e.nats += score(model, tokens, begin, end, new_end);
        e.windows++;
        end = new_end;
    }
    return e;
}
