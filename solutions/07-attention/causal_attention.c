/* Causal attention. Before you read on: make hint-07 EX=causal_attention */
#include "07-attention/causal_attention.h"

#include <math.h>

#include "05-residual-blocks/dropout.h"
#include "fmath.h"
#include "matmul.h"
#include "reduce.h"

static float score_scale(const AttentionShape *shape) {
    return 1.0f / sqrtf((float)shape->head_dim);
}

static bool worth_threads(const AttentionShape *shape) {
    return shape->n_heads > 1 && shape->n_heads * shape->length * shape->length * shape->head_dim > 1 << 14;
}

/* How many positions row t sees: they are the first ones. */
static size_t visible(const AttentionShape *shape, size_t t) {
    return shape->causal ? t + 1 : shape->length;
}

/* What dropout leaves of head h's [length, length] numbers, written to `to`; without dropout, x itself. The
 * mask is that of the tensor of all heads. As dropout multiplies by a fixed mask, the same function takes a
 * gradient back through it. */
static const float *after_dropout(float *to, const float *x, size_t h, const AttentionShape *shape) {
    if (shape->dropout == 0.0f) return x;
    size_t size = shape->length * shape->length;
    Random random = *shape->random;
    random.next += h * size;
    dropout_forward(to, x, size, shape->dropout, &random);
    return to;
}

/* Scores to weights, in place: the softmax of the first n; the others are hidden and become 0. Without taking
 * off the largest score, exp would overflow at a score of 89. */
static void softmax_visible(float *row, size_t n, size_t length, float scale) {
    float max = row_max(row, n);
    for (size_t s = 0; s < n; s++) row[s] = exp_float(scale * (row[s] - max));
    float factor = 1.0f / row_sum(row, n);
    for (size_t s = 0; s < n; s++) row[s] *= factor;
    for (size_t s = n; s < length; s++) row[s] = 0.0f;
}

void attention_forward(float *out, float *weights, float *scratch, const float *q, const float *k,
                       const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        float *w = weights + h * length * length, *room = scratch + h * length * length;
        matmul_a_bt(w, q + start, k + start, length, length, dim, false);
        for (size_t t = 0; t < length; t++) {
            softmax_visible(w + t * length, visible(shape, t), length, score_scale(shape));
        }
        matmul(out + start, after_dropout(room, w, h, shape), v + start, length, dim, length, false);
    }
}

/* The gradient of the weights to that of the scores q k^T, in place: hidden scores get none. */
static void softmax_visible_backward(float *dw, const float *w, size_t n, size_t length, float scale) {
    float mean = row_dot(dw, w, n);
    for (size_t s = 0; s < n; s++) dw[s] = scale * w[s] * (dw[s] - mean);
    for (size_t s = n; s < length; s++) dw[s] = 0.0f;
}

void attention_backward(float *dq, float *dk, float *dv, float *scratch, const float *dout,
                        const float *weights, const float *q, const float *k, const float *v,
                        const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        const float *w = weights + h * length * length;
        float *s = scratch + h * length * length;
        if (dv)
            matmul_at_b(dv + start, after_dropout(s, w, h, shape), dout + start, length, dim, length, true);
        matmul_a_bt(s, dout + start, v + start, length, length, dim, false);
        after_dropout(s, s, h, shape);
        for (size_t t = 0; t < length; t++) {
            softmax_visible_backward(s + t * length, w + t * length, visible(shape, t), length,
                                     score_scale(shape));
        }
        if (dq) matmul(dq + start, s, k + start, length, dim, length, true);
        if (dk) matmul_at_b(dk + start, s, q + start, length, dim, length, true);
    }
}
