/* A mixture of experts: see mixture.h. */
#include "18-llama/problems/mixture.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

typedef struct {
    int *chosen;    /* [rows, ACTIVE] */
    float *weights; /* [rows, ACTIVE] */
    size_t *places; /* [rows, ACTIVE], of a row among those of its expert */
    size_t *rows_of[EXPERTS], n_of[EXPERTS];
} Routes;

/* --- the rows of one expert, and the way back --- */

typedef struct {
    const size_t *rows;
} Gathered;

static void gather_backward(const TapeNode *node) {
    const Gathered *gathered = node->saved;
    Tensor *x = node->inputs[0], *out = node->out;
    size_t width = tensor_cols(x);
    for (size_t i = 0; i < tensor_size(out); i++)
        x->grad[gathered->rows[i / width] * width + i % width] += out->grad[i];
}

static Tensor *gather(Tape *t, Tensor *x, const size_t *rows, size_t n) {
    size_t width = tensor_cols(x);
    Tensor *out = tape_output(t, "gather", 2, (size_t[]){n, width}, TAPE_INPUTS(x));
    for (size_t i = 0; i < n; i++)
        memcpy(out->data + i * width, x->data + rows[i] * width,
               width * sizeof *x->data);
    Gathered gathered = {rows};
    tape_record_saved(t, out, gather_backward, &gathered, sizeof gathered);
    return out;
}

/* --- which expert has which rows --- */

void route_checked(int chosen[ACTIVE], float weights[ACTIVE],
                   const float scores[EXPERTS]) {
    experts_route(chosen, weights, scores);
    for (size_t k = 0; k < ACTIVE; k++) {
        if (chosen[k] < 0 || chosen[k] >= EXPERTS)
            die("chosen[%zu] is %d, expected 0 to %d", k, chosen[k], EXPERTS - 1);
        if (!isfinite(weights[k]))
            die("weights[%zu] is %g, expected a finite number", k, (double)weights[k]);
    }
    if (chosen[0] == chosen[1]) die("expert %d is chosen twice", chosen[0]);
}

static Routes route_rows(Tape *t, const float *scores, size_t n) {
    Routes r = {.chosen = tape_alloc(t, n * ACTIVE, sizeof *r.chosen),
                .weights = tape_alloc(t, n * ACTIVE, sizeof *r.weights),
                .places = tape_alloc(t, n * ACTIVE, sizeof *r.places)};
    for (size_t e = 0; e < EXPERTS; e++)
        r.rows_of[e] = tape_alloc(t, n, sizeof *r.rows_of[e]);
    for (size_t i = 0; i < n; i++) {
        int *chosen = r.chosen + i * ACTIVE;
        route_checked(chosen, r.weights + i * ACTIVE, scores + i * EXPERTS);
        for (size_t k = 0; k < ACTIVE; k++) {
            size_t e = (size_t)chosen[k];
            r.places[i * ACTIVE + k] = r.n_of[e];
            r.rows_of[e][r.n_of[e]++] = i;
        }
    }
    return r;
}

/* --- their outputs, weighed and added; inputs: scores, and each expert's output --- */

static const float *row_of(const float *rows, const Routes *r, size_t i, size_t width) {
    return rows + r->places[i] * width;
}

static void combine_backward(const TapeNode *node) {
    const Routes *r = node->saved;
    Tensor *scores = node->inputs[0];
    size_t n = tensor_rows(node->out), width = tensor_cols(node->out);
    for (size_t i = 0; i < n; i++) {
        const float *dout = node->out->grad + i * width;
        float dweights[ACTIVE] = {0};
        for (size_t k = i * ACTIVE; k < (i + 1) * ACTIVE; k++) {
            Tensor *of = node->inputs[1 + r->chosen[k]];
            float *dy = of->grad + r->places[k] * width;
            const float *y = row_of(of->data, r, k, width);
            for (size_t j = 0; j < width; j++) {
                dweights[k % ACTIVE] += dout[j] * y[j];
                dy[j] += dout[j] * r->weights[k];
            }
        }
        experts_route_backward(scores->grad + i * EXPERTS, dweights,
                               scores->data + i * EXPERTS);
    }
}

static Tensor *combine(Tape *t, const Routes *r, Tensor *scores, Tensor **y, size_t n,
                       size_t width) {
    Tensor *out = tape_output(t, "combine", 2, (size_t[]){n, width},
                              TAPE_INPUTS(scores, y[0], y[1], y[2], y[3]));
    memset(out->data, 0, n * width * sizeof *out->data);
    for (size_t k = 0; k < n * ACTIVE; k++) {
        const float *from = row_of(y[r->chosen[k]]->data, r, k, width);
        float *to = out->data + k / ACTIVE * width;
        for (size_t j = 0; j < width; j++) to[j] += r->weights[k] * from[j];
    }
    tape_record_saved(t, out, combine_backward, r, sizeof *r);
    return out;
}

Tensor *mixture(Tape *t, const Mixture *m, Tensor *x) {
    size_t n = tensor_rows(x), width = tensor_cols(x);
    Tensor *scores = linear(t, &m->router, x), *y[EXPERTS] = {NULL};
    Routes r = route_rows(t, scores->data, n);
    for (size_t e = 0; e < EXPERTS; e++) {
        if (r.n_of[e])
            y[e] = ffn(t, &m->experts[e], gather(t, x, r.rows_of[e], r.n_of[e]));
    }
    return combine(t, &r, scores, y, n, width);
}
