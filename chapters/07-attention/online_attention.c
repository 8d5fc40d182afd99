/* Attention without a table of weights: see online_attention.h. */
#include "07-attention/online_attention.h"

#include <math.h>

#include "05-residual-blocks/dropout.h"
#include "math/fmath.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

static bool worth_threads(const AttentionShape *shape) {
    return shape->n_heads > 1 &&
           shape->n_heads * shape->length * shape->length * shape->head_dim > 1 << 14;
}

/* Dropout's factor of weight (h, t, s): 1 / (1 - p), or 0. */
static float kept(const AttentionShape *shape, size_t h, size_t t, size_t s) {
    float factor = 1.0f;
    if (shape->dropout > 0.0f) {
        Random random = *shape->random;
        random.next += (h * shape->length + t) * shape->length + s;
        dropout_forward(&factor, &factor, 1, shape->dropout, &random);
    }
    return factor;
}

static void add_scaled(float *out, const float *x, float factor, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] += factor * x[i];
}

//> online_row
/* Row t of head h: out [head_dim] of the query q [head_dim]; returns the row's
 * log-sum-exp. */
static float forward_row(float *out, const float *q, const float *k, const float *v,
                         size_t h, size_t t, const AttentionShape *shape) {
    size_t dim = shape->head_dim, n = attention_visible(shape, t);
    float scale = 1.0f / sqrtf((float)dim), max = -INFINITY;
    double sum = 0;
    for (size_t i = 0; i < dim; i++) out[i] = 0;
    for (size_t s = 0; s < n; s++) {
        float score = scale * row_dot(q, k + s * dim, dim);
        /* the sums so far were measured from a smaller maximum */
        if (score > max) {
            float shrink = exp_float(max - score);
            sum *= (double)shrink;
            row_scale(out, shrink, dim);
            max = score;
        }
        float weight = exp_float(score - max);
        sum += (double)weight;
        add_scaled(out, v + s * dim, weight * kept(shape, h, t, s), dim);
    }
    row_scale(out, (float)(1.0 / sum), dim);
    return max + (float)log_double(sum);
}
//< online_row

void online_attention_forward(float *out, float *logsumexp, const float *q,
                              const float *k, const float *v,
                              const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        for (size_t t = 0; t < length; t++) {
            size_t row = start + t * dim;
            logsumexp[h * length + t] =
                forward_row(out + row, q + row, k + start, v + start, h, t, shape);
        }
    }
}

/* The inputs of the backward pass of one row, and the gradients that it adds to, which
 * may be NULL. */
typedef struct {
    float *dq, *dk, *dv; /* dq [head_dim]; dk, dv [length, head_dim] */
    /* q, dout, out [head_dim]; k, v [length, head_dim] */
    const float *q, *k, *v, *dout, *out;
    float logsumexp;
} Row;

//> online_row_backward
static void backward_row(const Row *r, size_t h, size_t t,
                         const AttentionShape *shape) {
    size_t dim = shape->head_dim, n = attention_visible(shape, t);
    float scale = 1.0f / sqrtf((float)dim);
    /* the sum of dweight * weight over the row */
    float mean = row_dot(r->dout, r->out, dim);
    for (size_t s = 0; s < n; s++) {
        const float *k = r->k + s * dim, *v = r->v + s * dim;
        float keep = kept(shape, h, t, s);
        float weight = exp_float(scale * row_dot(r->q, k, dim) - r->logsumexp);
        float dweight = keep * row_dot(r->dout, v, dim);
        float dscore = scale * weight * (dweight - mean);
        if (r->dv) add_scaled(r->dv + s * dim, r->dout, keep * weight, dim);
        if (r->dq) add_scaled(r->dq, k, dscore, dim);
        if (r->dk) add_scaled(r->dk + s * dim, r->q, dscore, dim);
    }
}
//< online_row_backward

void online_attention_backward(AttentionGradients d, const float *dout,
                               const float *out, const float *logsumexp, const float *q,
                               const float *k, const float *v,
                               const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        for (size_t t = 0; t < length; t++) {
            size_t row = start + t * dim;
            Row r = {.dq = d.q ? d.q + row : NULL,
                     .dk = d.k ? d.k + start : NULL,
                     .dv = d.v ? d.v + start : NULL,
                     .q = q + row,
                     .k = k + start,
                     .v = v + start,
                     .dout = dout + row,
                     .out = out + row,
                     .logsumexp = logsumexp[h * length + t]};
            backward_row(&r, h, t, shape);
        }
    }
}
