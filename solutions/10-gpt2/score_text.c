/* The loss of a long text, window by window. Before you read on: make hint-10
 * EX=score_text */
#include "10-gpt2/score_text.h"

#include "program/progress.h"

Evaluation score_text(const Gpt2 *model, const int *tokens, size_t n, size_t stride) {
    size_t context = model->config.n_ctx, dim = model->config.block.d_model;
    Evaluation e = {.scored = n - 1};
    Tape t = tape_for_inference();
    Progress bar = progress_begin("evaluating", n - 1);
    size_t next = 1; /* the first token that is not scored yet */
    for (size_t begin = 0; next < n; begin += stride) {
        size_t length = n - 1 - begin < context ? n - 1 - begin : context;
        Gpt2Input window = {.tokens = tokens + begin, .batch = 1, .length = length};
        const float *hidden = gpt2_hidden(&t, model, &window)->data;
        /* Position p of the window predicts token begin + p + 1. */
        size_t first = next - 1 - begin, rows = length - first;
        e.nats += nats_of_rows(&t, model, hidden + first * dim, tokens + next, rows);
        e.windows++;
        next += rows;
        tape_reset(&t);
        progress_update(&bar, next - 1, "loss %.4f", e.nats / (double)(next - 1));
    }
    progress_end(&bar);
    tape_free(&t);
    return e;
}
