/* As Hugging Face writes it: x cos + rotate_half(x) sin, both factors in double. */
#include "18-llama/rope.h"

#include <math.h>

void rope_frequencies(float *frequencies, size_t d_model, size_t n_head, float base) {
    size_t head_dim = d_model / n_head;
    for (size_t i = 0; 2 * i < head_dim; i++)
        frequencies[i] =
            (float)(1 / pow((double)base, (double)(2 * i) / (double)head_dim));
}

static double element(const float *x, const RopeShape *s, size_t n, double direction) {
    size_t dim = s->head_dim, half = dim / 2,
           width = (s->n_head + 2 * s->n_kv_head) * dim;
    if (n % width >= (s->n_head + s->n_kv_head) * dim) return (double)x[n];
    size_t i = n % width % dim;
    float angle = (float)s->positions[n / width] * s->frequencies[i % half];
    double rotated = i < half ? -(double)x[n + half] : (double)x[n - half];
    return (double)x[n] * cos((double)angle) + rotated * direction * sin((double)angle);
}

void rope_forward(float *out, const float *qkv, const RopeShape *s) {
    size_t n = s->rows * (s->n_head + 2 * s->n_kv_head) * s->head_dim;
    for (size_t i = 0; i < n; i++) out[i] = (float)element(qkv, s, i, 1);
}

void rope_backward(float *dqkv, const float *dout, const RopeShape *s) {
    size_t n = s->rows * (s->n_head + 2 * s->n_kv_head) * s->head_dim;
    for (size_t i = 0; i < n; i++) dqkv[i] += (float)element(dout, s, i, -1);
}
