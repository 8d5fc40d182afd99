/* ln p of answers: see log_p.h. */
#include "19-fine-tuning/log_p.h"

#include "kernels/softmax.h"

typedef struct {
    const size_t *at;
    const int *tokens;
    float *softmax; /* [V] of one row after the other */
} LogPSaved;

static size_t row_of(const Tensor *logits, const size_t *at, size_t b) {
    return (b * logits->shape[1] + at[b]) * logits->shape[2];
}

static void log_p_backward(const TapeNode *node) {
    const LogPSaved *s = node->saved;
    const Tensor *logits = node->inputs[0];
    size_t n_vocab = logits->shape[2], n = node->out->shape[1];
    for (size_t b = 0; b < logits->shape[0]; b++) {
        size_t row = row_of(logits, s->at, b);
        const float *dlog_p = node->out->grad + b * n;
        float *d = logits->grad + row, sum = 0;
        for (size_t i = 0; i < n; i++) {
            d[s->tokens[b * n + i]] += dlog_p[i];
            sum += dlog_p[i];
        }
        row_softmax(s->softmax, logits->data + row, n_vocab, 1);
        for (size_t v = 0; v < n_vocab; v++) d[v] -= sum * s->softmax[v];
    }
}

Tensor *log_p_at(Tape *t, Tensor *logits, const size_t *at, const int *tokens,
                 size_t n) {
    size_t rows = logits->shape[0], n_vocab = logits->shape[2];
    Tensor *out = tape_output(t, "ln p", 2, (size_t[]){rows, n}, TAPE_INPUTS(logits));
    for (size_t b = 0; b < rows; b++) {
        const float *row = logits->data + row_of(logits, at, b);
        float logsumexp = row_logsumexp(row, n_vocab);
        for (size_t i = 0; i < n; i++)
            out->data[b * n + i] = row[tokens[b * n + i]] - logsumexp;
    }
    LogPSaved saved = {at, tokens, tape_alloc(t, n_vocab, sizeof(float))};
    tape_record_saved(t, out, log_p_backward, &saved, sizeof saved);
    return out;
}
