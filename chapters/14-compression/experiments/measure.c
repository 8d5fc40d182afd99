/* Predictions with and without coding: see measure.h. */
#include "14-compression/experiments/measure.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/trained_models.h"
#include "text/corpus.h"
#include "base/error.h"
#include "math/fmath.h"
#include "base/memory.h"

enum { AT_ONCE = 16 }; /* windows in a forward pass */

/* ln softmax of the row in place. */
static void log_softmax(float *row, size_t n) {
    double zero = log_probability(row, n, 0), shift = zero - (double)row[0];
    for (size_t v = 0; v < n; v++) row[v] = (float)((double)row[v] + shift);
}

/* The same for windows [n, length] from tokens on: log_p [n, length - 1, n_vocab]. */
static void predict(float *log_p, const Gpt2 *model, const int *tokens, size_t n,
                    size_t length) {
    size_t n_vocab = model->config.n_vocab, row = n_vocab * sizeof *log_p;
    Tape tape = tape_for_inference();
    for (size_t at = 0; at < n; at += AT_ONCE) {
        size_t batch = n - at < AT_ONCE ? n - at : AT_ONCE;
        Gpt2Input input = {
            .tokens = tokens + at * length, .batch = batch, .length = length};
        const float *logits = gpt2_logits(&tape, model, &input)->data;
        for (size_t b = 0; b < batch; b++) {
            memcpy(log_p, logits + b * length * n_vocab, (length - 1) * row);
            log_p += (length - 1) * n_vocab;
        }
        tape_reset(&tape);
    }
    tape_free(&tape);
}

static float *all_log_p(const Gpt2 *model, const int *tokens, size_t n, size_t length) {
    size_t n_vocab = model->config.n_vocab, rows = n * (length - 1);
    float *log_p = checked_alloc(size_mul(rows, n_vocab), sizeof *log_p);
    predict(log_p, model, tokens, n, length);
#pragma omp parallel for
    for (size_t r = 0; r < rows; r++) log_softmax(log_p + r * n_vocab, n_vocab);
    return log_p;
}

/* The token that row r of the predictions is about. */
static int target(const Reference *ref, size_t r) {
    return ref->tokens[r / (ref->length - 1) * ref->length + r % (ref->length - 1) + 1];
}

Reference reference_of(const TextModel *m, size_t n, size_t skip) {
    size_t length = m->model->config.n_ctx, n_vocab = m->model->config.n_vocab;
    Reference r = {
        .n = n, .length = length, .tokens = corpus_windows(m, skip + n, length)};
    memmove(r.tokens, r.tokens + skip * length, n * length * sizeof *r.tokens);
    r.log_p = all_log_p(m->model, r.tokens, n, length);
    size_t rows = n * (length - 1);
    for (size_t i = 0; i < rows; i++)
        r.loss -= (double)r.log_p[i * n_vocab + (size_t)target(&r, i)] / (double)rows;
    return r;
}

void reference_free(Reference *r) {
    free(r->tokens);
    free(r->log_p);
    *r = (Reference){0};
}

static size_t likeliest(const float *row, size_t n) {
    size_t best = 0;
    for (size_t v = 1; v < n; v++) {
        if (row[v] > row[best]) best = v;
    }
    return best;
}

double percent_of(double added) {
    return 100 * (exp_double(added) - 1);
}

Change change_from(const Reference *r, const Gpt2 *model) {
    size_t n_vocab = model->config.n_vocab, rows = r->n * (r->length - 1);
    float *log_q = all_log_p(model, r->tokens, r->n, r->length);
    double loss = 0, kl = 0, changed = 0;
    for (size_t i = 0; i < rows; i++) {
        const float *p = r->log_p + i * n_vocab, *q = log_q + i * n_vocab;
        loss -= (double)q[target(r, i)];
        changed += likeliest(p, n_vocab) != likeliest(q, n_vocab);
        for (size_t v = 0; v < n_vocab; v++)
            kl += exp_double((double)p[v]) * (double)(p[v] - q[v]);
    }
    free(log_q);
    double n = (double)rows, added = loss / n - r->loss;
    return (Change){.added = added,
                    .percent = percent_of(added),
                    .kl = kl / n,
                    .changed = changed / n};
}

size_t form_param(Coded *coded, size_t i, const char *codec,
                  const Calibration *calibration, double *error) {
    double value;
    const Codec *c = codec_find(codec, &value);
    double off = code_param(coded, i, c, value, calibration);
    if (error) *error = off;
    Tensor *x = coded->model->params.items[i].tensor;
    Weight *w = &coded->weights[i], *stored = (Weight *)(uintptr_t)x->stored;
    size_t bytes = weight_bytes(w);
    float *floats = checked_alloc(size_mul(w->rows, w->cols), sizeof *floats);
    weight_to_floats(floats, w);
    free((void *)(uintptr_t)w->data);
    *w = weight_of_floats(floats, w->rows, w->cols);
    *stored = stored->transposed ? weight_transpose(w) : *w;
    return bytes;
}

size_t form_model(Coded *coded, const Form *form, const Calibration *calibration) {
    const Params *params = &coded->model->params;
    size_t bytes = 0;
    for (size_t i = 0; i < params->n; i++) {
        const Param *p = &params->items[i];
        bool table = p->tensor == coded->model->wte;
        bytes +=
            is_coded(p)
                ? form_param(coded, i, table && form->table ? form->table : form->codec,
                             calibration, NULL)
                : tensor_size(p->tensor) * sizeof(float);
    }
    return bytes;
}

double model_bits(const Gpt2 *model, size_t bytes) {
    return 8 * (double)bytes / (double)params_count(&model->params);
}

Calibration calibrate_on_training(const TextModel *m, uint64_t seed, size_t n) {
    enum { BYTES_A_TOKEN = 8 };
    CorpusText text = corpus_generate(2 * seed, n * BYTES_A_TOKEN);
    size_t n_tokens;
    int *tokens =
        tokenizer_encode(m->tokenizer, text.text, text.bytes, false, &n_tokens);
    if (n_tokens < n) die("calibration: %zu tokens, expected %zu", n_tokens, n);
    Calibration c = calibrate(m->model, tokens, n);
    free(tokens);
    free(text.text);
    return c;
}
