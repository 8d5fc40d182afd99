/* Everything in loops, sums in double; the backward pass goes query by query. Scratch
 * is filled before weights is cleared, so that the two must be two arrays. */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "05-residual-blocks/dropout.h"

void attention_scores(float *scores, const float *q, const float *k,
                      const AttentionShape *shape) {
    for (size_t t = 0; t < shape->length; t++) {
        for (size_t s = 0; s < attention_visible(shape, t); s++) {
            double sum = 0;
            for (size_t i = 0; i < shape->head_dim; i++)
                sum += (double)q[t * shape->head_dim + i] *
                       (double)k[s * shape->head_dim + i];
            scores[t * shape->length + s] = (float)sum;
        }
    }
}

size_t attention_visible(const AttentionShape *shape, size_t t) {
    if (!shape->causal) return shape->length;
    return t + 1;
}

void attention_softmax(float *weights, const AttentionShape *shape) {
    for (size_t t = 0; t < shape->length; t++, weights += shape->length) {
        double max = -INFINITY, sum = 0, root = sqrt((double)shape->head_dim);
        size_t n = attention_visible(shape, t);
        for (size_t s = 0; s < n; s++) max = fmax(max, (double)weights[s]);
        for (size_t s = 0; s < n; s++) sum += exp(((double)weights[s] - max) / root);
        for (size_t s = 0; s < n; s++)
            weights[s] = (float)(exp(((double)weights[s] - max) / root) / sum);
        for (size_t s = n; s < shape->length; s++) weights[s] = 0;
    }
}

/* 1 / (1 - p) for weights that are kept, 0 for others; all heads at once, in place of
 * what `room` holds. */
static void draw_factors(float *room, const AttentionShape *shape) {
    size_t n = shape->n_heads * shape->length * shape->length;
    for (size_t i = 0; i < n; i++) room[i] = 1;
    if (shape->dropout > 0)
        dropout_forward(room, room, n, shape->dropout, shape->random);
}

void attention_forward(float *out, float *weights, float *scratch, const float *q,
                       const float *k, const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
    draw_factors(scratch, shape);
    memset(weights, 0, shape->n_heads * length * length * sizeof *weights);
    for (size_t h = 0; h < shape->n_heads;
         h++, q += length * dim, k += length * dim, v += length * dim) {
        attention_scores(weights, q, k, shape);
        attention_softmax(weights, shape);
        for (size_t t = 0; t < length;
             t++, weights += length, scratch += length, out += dim) {
            for (size_t i = 0; i < dim; i++) {
                double sum = 0;
                for (size_t s = 0; s < attention_visible(shape, t); s++)
                    sum += (double)weights[s] * (double)scratch[s] *
                           (double)v[s * dim + i];
                out[i] = (float)sum;
            }
        }
    }
}

static double dot(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)a[i] * (double)b[i];
    return sum;
}

void attention_backward(float *dq, float *dk, float *dv, float *scratch,
                        const float *dout, const float *weights, const float *q,
                        const float *k, const float *v, const AttentionShape *shape) {
    size_t length = shape->length, dim = shape->head_dim;
    draw_factors(scratch, shape);
    for (size_t row = 0; row < shape->n_heads * length; row++) {
        const float *w = weights + row * length, *factor = scratch + row * length,
                    *d = dout + row * dim;
        size_t first = row / length * length,
               n = attention_visible(shape, row % length);
        double mean = 0;
        for (size_t s = 0; s < n; s++)
            mean +=
                (double)w[s] * (double)factor[s] * dot(d, v + (first + s) * dim, dim);
        for (size_t s = 0; s < n; s++) {
            size_t at = (first + s) * dim;
            double dw = (double)factor[s] * dot(d, v + at, dim);
            double ds = (double)w[s] * (dw - mean) / sqrt((double)dim);
            for (size_t i = 0; i < dim; i++) {
                if (dv) dv[at + i] += w[s] * factor[s] * d[i];
                if (dq) dq[row * dim + i] += (float)(ds * (double)k[at + i]);
                if (dk) dk[at + i] += (float)(ds * (double)q[row * dim + i]);
            }
        }
    }
}
