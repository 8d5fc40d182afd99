/* Whole matrices: all scores are computed, hidden ones become -infinity, and the
 * softmax makes them 0. The heads draw their dropout one after the other from one
 * generator. */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "05-residual-blocks/dropout.h"
#include "kernels/matmul.h"
#include "kernels/softmax.h"

void attention_scores(float *scores, const float *q, const float *k,
                      const AttentionShape *shape) {
    matmul_a_bt(scores, q, k, shape->length, shape->length, shape->head_dim, false);
}

size_t attention_visible(const AttentionShape *shape, size_t t) {
    return shape->causal && t + 1 < shape->length ? t + 1 : shape->length;
}

void attention_softmax(float *weights, const AttentionShape *shape) {
    float scale = (float)pow((double)shape->head_dim, -0.5);
    for (size_t i = 0; i < shape->length * shape->length; i++)
        if (i % shape->length >= attention_visible(shape, i / shape->length))
            weights[i] = -INFINITY;
    for (size_t t = 0; t < shape->length; t++)
        row_softmax(weights + t * shape->length, weights + t * shape->length,
                    shape->length, scale);
}

/* x, through the dropout of one head, to `to`; `random` goes on to the next head. */
static void drop(float *to, const float *x, Random *random,
                 const AttentionShape *shape) {
    size_t n = shape->length * shape->length;
    if (shape->dropout == 0.0f) {
        memmove(to, x, n * sizeof *to);
    } else {
        dropout_forward(to, x, n, shape->dropout, random);
        random->next += n;
    }
}

void attention_forward(float *out, float *weights, float *scratch, const float *q,
                       const float *k, const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
    Random random = shape->random ? *shape->random : (Random){0};
    for (size_t h = 0; h < shape->n_heads; h++) {
        float *w = weights + h * length * length;
        attention_scores(w, q + h * length * dim, k + h * length * dim, shape);
        attention_softmax(w, shape);
        drop(scratch, w, &random, shape);
        matmul_square(out + h * length * dim, scratch, v + h * length * dim, length,
                      dim, shape->causal, false);
    }
}

void attention_backward(float *dq, float *dk, float *dv, float *scratch,
                        const float *dout, const float *weights, const float *q,
                        const float *k, const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
    Random random = shape->random ? *shape->random : (Random){0}, again = random;
    for (size_t h = 0; h < shape->n_heads; h++) {
        size_t start = h * length * dim;
        const float *w = weights + h * length * length;
        drop(scratch, w, &random, shape);
        if (dv)
            matmul_at_b(dv + start, scratch, dout + start, length, dim, length, true);
        matmul_a_bt(scratch, dout + start, v + start, length, length, dim, false);
        drop(scratch, scratch, &again, shape);
        for (size_t t = 0; t < length; t++) {
            double sum = 0;
            for (size_t s = 0; s < length; s++)
                sum += (double)(w[t * length + s] * scratch[t * length + s]);
            for (size_t s = 0; s < length; s++)
                scratch[t * length + s] = w[t * length + s] *
                                          (scratch[t * length + s] - (float)sum) /
                                          sqrtf((float)dim);
        }
        if (dq) matmul(dq + start, scratch, k + start, length, dim, length, true);
        if (dk) matmul_at_b(dk + start, scratch, q + start, length, dim, length, true);
    }
}
