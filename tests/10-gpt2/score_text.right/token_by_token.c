/* For each token the window that scores it, computed from its number; the logits of the
 * whole window, and the loss in double. */
#include "10-gpt2/score_text.h"

#include <math.h>

static double loss_of(const float *logits, size_t n_vocab, int target) {
    double largest = -INFINITY, sum = 0;
    for (size_t v = 0; v < n_vocab; v++) largest = fmax(largest, (double)logits[v]);
    for (size_t v = 0; v < n_vocab; v++) sum += exp((double)logits[v] - largest);
    return log(sum) + largest - (double)logits[target];
}

Evaluation score_text(const Gpt2 *model, const int *tokens, size_t n, size_t stride) {
    size_t context = model->config.n_ctx, n_vocab = model->config.n_vocab, in = n;
    Evaluation e = {0};
    Tape t = tape_for_inference();
    const float *logits = NULL;
    for (size_t at = 1; at < n; at++) {
        size_t window = at <= context ? 0 : (at - context + stride - 1) / stride;
        size_t begin = window * stride;
        if (window != in) {
            size_t end = begin + context < n - 1 ? begin + context : n - 1;
            tape_reset(&t);
            Gpt2Input input = {
                .tokens = tokens + begin, .batch = 1, .length = end - begin};
            logits = gpt2_logits(&t, model, &input)->data;
            e.windows++;
            in = window;
        }
        e.nats += loss_of(logits + (at - 1 - begin) * n_vocab, n_vocab, tokens[at]);
        e.scored++;
    }
    tape_free(&t);
    return e;
}
