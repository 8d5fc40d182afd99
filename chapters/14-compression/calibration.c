/* Watching the inputs of a model's matrices: see calibration.h. A matrix is read
 * through the door of weight.h, so a WeightType that watches can stand in it. */
#include "14-compression/calibration.h"

#include <stdlib.h>

#include "kernels/matmul.h"
#include "base/memory.h"

typedef struct {
    Weight own; /* what is watched */
    size_t n;   /* inputs seen */
    float *sum; /* [in, in] of x x^T */
} Watched;

static void watch(Watched *s, const float *x, size_t n, size_t in) {
    matmul_at_b(s->sum, x, x, in, in, n, true);
    s->n += n;
}

static const Watched *watched(const Weight *w) {
    return w->data;
}

static size_t watched_bytes(const Weight *w) {
    return weight_bytes(&watched(w)->own);
}

static void watched_read(float *out, const Weight *w, size_t row, size_t first,
                         size_t n) {
    watched(w)->own.type->read(out, &watched(w)->own, row, first, n);
}

static void watched_multiply(float *out, const float *x, const Weight *w,
                             const float *bias, size_t n) {
    watch((Watched *)(uintptr_t)w->data, x, n, w->rows);
    weight_multiply(out, x, &watched(w)->own, bias, n);
}

static void watched_multiply_transposed(float *out, const float *x, const Weight *w,
                                        const float *bias, size_t n) {
    watch((Watched *)(uintptr_t)w->data, x, n, w->cols);
    weight_multiply_transposed(out, x, &watched(w)->own, bias, n);
}

static const WeightType watching = {.name = "watched",
                                    .bytes = watched_bytes,
                                    .read = watched_read,
                                    .block = 1,
                                    .multiply = watched_multiply,
                                    .multiply_transposed = watched_multiply_transposed,
                                    .most = SIZE_MAX};

/* The sum becomes the mean. The token table is also read row by row, where an error in
 * any column counts the same: like inputs without correlation, as large as those of the
 * head. */
static void finish(float *moments, size_t in, size_t n, bool is_table) {
    double mean = 0;
    for (size_t k = 0; k < in * in; k++) moments[k] /= (float)n;
    for (size_t k = 0; k < in; k++) mean += (double)moments[k * in + k] / (double)in;
    for (size_t k = 0; k < in && is_table; k++) moments[k * in + k] += (float)mean;
}

Calibration calibrate(Gpt2 *model, const int *tokens, size_t n) {
    const Params *params = &model->params;
    Calibration c = {params->n, checked_alloc(params->n, sizeof(float *))};
    Watched *spies = checked_alloc(params->n, sizeof *spies);
    Weight *doors = checked_alloc(params->n, sizeof *doors);
    const Weight **before = checked_alloc(params->n, sizeof(Weight *));
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        before[i] = x->stored;
        if (x->ndim != 2 || x == model->wpe) continue;
        /* [n_vocab, d_model], read the other way round */
        bool is_head = x == model->wte;
        size_t in = is_head ? x->shape[1] : x->shape[0];
        spies[i] = (Watched){.own = tensor_weight(x),
                             .sum = checked_alloc(size_mul(in, in), sizeof(float))};
        doors[i] = (Weight){.type = &watching,
                            .data = &spies[i],
                            .rows = x->shape[0],
                            .cols = x->shape[1]};
        x->stored = &doors[i];
        c.moments[i] = spies[i].sum;
    }
    Weight head = model->head;
    model->head = (Weight){0}; /* the table itself is to be watched */
    size_t window = model->config.n_ctx;
    Tape tape = tape_for_inference();
    for (size_t at = 0; at < n; at += window) {
        Gpt2Input input = {.tokens = tokens + at,
                           .batch = 1,
                           .length = n - at < window ? n - at : window};
        gpt2_logits(&tape, model, &input);
        tape_reset(&tape);
    }
    tape_free(&tape);
    model->head = head;
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        x->stored = before[i];
        bool is_table = x == model->wte;
        if (c.moments[i])
            finish(c.moments[i], x->shape[is_table ? 1 : 0], spies[i].n, is_table);
    }
    free(spies);
    free(doors);
    free(before);
    return c;
}

void calibration_free(Calibration *c) {
    for (size_t i = 0; i < c->n; i++) free(c->moments[i]);
    free(c->moments);
    *c = (Calibration){0};
}
