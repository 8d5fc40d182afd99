/* Causal attention. Before you read on: make hint-07 EX=causal_attention */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "05-residual-blocks/dropout.h"
#include "matmul.h"
#include "reduce.h"
#include "softmax.h"

static bool worth_threads(const AttentionShape *shape) {
    return shape->n_heads > 1 && shape->n_heads * shape->length * shape->length * shape->head_dim > 1 << 14;
}

/* How many positions row t sees: they are the first ones. */
static size_t visible(const AttentionShape *shape, size_t t) {
    return shape->causal ? t + 1 : shape->length;
}

/* Dropout of the weights of head h, in `room`, or the weights themselves where dropout is off. As it
 * multiplies by a fixed mask, it takes a gradient back through it, too. */
static const float *dropped(float *room, const float *weights, size_t h, const AttentionShape *shape) {
    if (shape->dropout == 0.0f) return weights;
    size_t n = shape->length * shape->length;
    Random random = *shape->random;
    random.next += h * n;
    dropout_forward(room, weights, n, shape->dropout, &random);
    return room;
}

void attention_forward(float *out, float *weights, float *scratch, const float *q, const float *k,
                       const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
    float scale = 1.0f / sqrtf((float)dim);
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim, square = h * length * length;
        float *w = weights + square;
        /* scores = q k^T */
        matmul_square_a_bt(w, q + start, k + start, length, dim, shape->causal);
        /* weights = softmax(scores / sqrt(head_dim)) of what a position sees, 0 behind it */
        for (size_t t = 0; t < length; t++) {
            float *row = w + t * length;
            size_t n = visible(shape, t);
            row_softmax(row, row, n, scale);
            memset(row + n, 0, (length - n) * sizeof *row);
        }
        /* out = dropout(weights) v */
        const float *d = dropped(scratch + square, w, h, shape);
        matmul_square(out + start, d, v + start, length, dim, shape->causal, false);
    }
}

void attention_backward(float *dq, float *dk, float *dv, float *scratch, const float *dout,
                        const float *weights, const float *q, const float *k, const float *v,
                        const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
    float scale = 1.0f / sqrtf((float)dim);
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim, square = h * length * length;
        const float *w = weights + square;
        float *dw = scratch + square;
        /* dv += dropout(weights)^T dout */
        const float *d = dropped(dw, w, h, shape);
        if (dv) matmul_square_at_b(dv + start, d, dout + start, length, dim, shape->causal);
        /* dweights = dropout(dout v^T) */
        matmul_square_a_bt(dw, dout + start, v + start, length, dim, shape->causal);
        dropped(dw, dw, h, shape);
        /* dscores = weights (dweights - sum of dweights weights) / sqrt(head_dim), 0 behind what is seen */
        for (size_t t = 0; t < length; t++) {
            const float *row = w + t * length;
            float *drow = dw + t * length;
            size_t n = visible(shape, t);
            float sum = row_dot(drow, row, n);
            for (size_t s = 0; s < n; s++) drow[s] = scale * row[s] * (drow[s] - sum);
            memset(drow + n, 0, (length - n) * sizeof *drow);
        }
        /* dq += dscores k, dk += dscores^T q */
        if (dq) matmul_square(dq + start, dw, k + start, length, dim, shape->causal, true);
        if (dk) matmul_square_at_b(dk + start, dw, q + start, length, dim, shape->causal);
    }
}
