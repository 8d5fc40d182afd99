/* How well a model predicts a text: see eval.h. */
#include "10-gpt2/eval.h"

#include <math.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "10-gpt2/score_text.h"
#include "base/error.h"
#include "tensor/trace.h"

/* Logits of so many positions at a time: of GPT-2's vocabulary,
 * 13 MB and not the 206 MB of a whole window. */
enum { ROWS_AT_ONCE = 64 };

double nats_of_rows(Tape *t, const Gpt2 *model, const float *hidden, const int *targets,
                    size_t rows) {
    size_t n_vocab = model->config.n_vocab, dim = model->config.block.d_model;
    float *logits = tape_alloc(t, ROWS_AT_ONCE * n_vocab, sizeof *logits),
          *logsumexp = tape_alloc(t, ROWS_AT_ONCE, sizeof *logsumexp);
    double nats = 0, started = trace_clock();
    for (size_t from = 0; from < rows; from += ROWS_AT_ONCE) {
        size_t n = rows - from < ROWS_AT_ONCE ? rows - from : ROWS_AT_ONCE;
        gpt2_head_rows(logits, model, hidden + from * dim, n);
        cross_entropy_forward(logsumexp, logits, targets + from, n, n_vocab);
        for (size_t r = 0; r < n; r++)
            nats += (double)logsumexp[r] -
                    (double)logits[r * n_vocab + (size_t)targets[from + r]];
    }
    trace_span("head and loss", started);
    return nats;
}

Evaluation gpt2_evaluate(const Gpt2 *model, const int *tokens, size_t n,
                         size_t stride) {
    size_t context = model->config.n_ctx;
    if (n < 2)
        die("a text of %zu tokens: expected at least 2, since the first is not "
            "predicted",
            n);
    if (stride < 1 || stride > context)
        die("stride %zu: expected 1 to the context, %zu", stride, context);
    return score_text(model, tokens, n, stride);
}

double evaluation_loss(const Evaluation *e) {
    return e->nats / (double)e->scored;
}

double evaluation_perplexity(const Evaluation *e) {
    return exp(evaluation_loss(e));
}

double evaluation_bits_per_byte(const Evaluation *e, size_t bytes) {
    return e->nats / log(2) / (double)bytes;
}
