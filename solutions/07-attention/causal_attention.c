/* Causal attention. Before you read on: make hint-07 EX=causal_attention */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "05-residual-blocks/dropout.h"
#include "kernels/matmul.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

static bool worth_threads(const AttentionShape *shape) {
    return shape->n_heads > 1 &&
           shape->n_heads * shape->length * shape->length * shape->head_dim > 1 << 14;
}

void attention_scores(float *scores, const float *q, const float *k,
                      const AttentionShape *shape) {
    //> scores
    matmul_square_a_bt(scores, q, k, shape->length, shape->head_dim, shape->causal);
    //< scores
}

size_t attention_visible(const AttentionShape *shape, size_t t) {
    return shape->causal ? t + 1 : shape->length;
}

void attention_softmax(float *weights, const AttentionShape *shape) {
    size_t length = shape->length;
    float scale = 1.0f / sqrtf((float)shape->head_dim);
    for (size_t t = 0; t < length; t++) {
        float *row = weights + t * length;
        size_t n = attention_visible(shape, t);
        //> weights
        row_softmax(row, row, n, scale);
        //< weights
        memset(row + n, 0, (length - n) * sizeof *row);
    }
}

/* Dropout of the weights of head h, in `room`, or the weights themselves where dropout
 * is off. As it multiplies by a fixed mask, it takes a gradient back through it,
 * too. */
static const float *dropped(float *room, const float *weights, size_t h,
                            const AttentionShape *shape) {
    if (shape->dropout == 0.0f) return weights;
    size_t n = shape->length * shape->length;
    Random random = *shape->random;
    random.next += h * n;
    dropout_forward(room, weights, n, shape->dropout, &random);
    return room;
}

void attention_forward(float *out, float *weights, float *scratch, const float *q,
                       const float *k, const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim, square = h * length * length;
        float *w = weights + square;
        attention_scores(w, q + start, k + start, shape);
        attention_softmax(w, shape);
        /* out = dropout(weights) v */
        const float *d = dropped(scratch + square, w, h, shape);
        //> values
        matmul_square(out + start, d, v + start, length, dim, shape->causal, false);
        //< values
    }
}

/* One head: turns the gradient of the weights into that of q k^T, in place: weights
 * (dweights - sum of dweights weights) / sqrt(head_dim), and 0 after the positions that
 * are seen. */
static void softmax_back(float *dweights, const float *weights,
                         const AttentionShape *shape) {
    size_t length = shape->length;
    float scale = 1.0f / sqrtf((float)shape->head_dim);
    for (size_t t = 0; t < length; t++) {
        const float *row = weights + t * length;
        float *drow = dweights + t * length;
        size_t n = attention_visible(shape, t);
        float sum = row_dot(drow, row, n);
        for (size_t s = 0; s < n; s++) drow[s] = scale * row[s] * (drow[s] - sum);
        memset(drow + n, 0, (length - n) * sizeof *drow);
    }
}

void attention_backward(float *dq, float *dk, float *dv, float *scratch,
                        const float *dout, const float *weights, const float *q,
                        const float *k, const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
#pragma omp parallel for schedule(dynamic) if (worth_threads(shape))
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim, square = h * length * length;
        const float *w = weights + square;
        float *dw = scratch + square;
        /* dv += dropout(weights)^T dout */
        const float *d = dropped(dw, w, h, shape);
        if (dv)
            matmul_square_at_b(dv + start, d, dout + start, length, dim, shape->causal);
        /* dweights = dropout(dout v^T) */
        matmul_square_a_bt(dw, dout + start, v + start, length, dim, shape->causal);
        dropped(dw, dw, h, shape);
        softmax_back(dw, w, shape);
        /* dq += dscores k, dk += dscores^T q */
        if (dq)
            matmul_square(dq + start, dw, k + start, length, dim, shape->causal, true);
        if (dk)
            matmul_square_at_b(dk + start, dw, q + start, length, dim, shape->causal);
    }
}
