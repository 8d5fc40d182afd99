/* Dropout. Before you read on: make hint-05 EX=dropout */
#include "05-residual-blocks/dropout.h"

static bool is_kept(const Random *random, size_t i, float p) {
    return (float)(random_at(random, random->next + i) >> 8) * 0x1p-24f >= p;
}

void dropout_forward(float *out, const float *x, size_t n, float p, const Random *random) {
    float scale = 1.0f / (1.0f - p);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out[i] = is_kept(random, i, p) ? x[i] * scale : 0.0f;
}

void dropout_backward(float *dx, const float *dout, size_t n, float p, const Random *random) {
    float scale = 1.0f / (1.0f - p);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        if (is_kept(random, i, p)) dx[i] += dout[i] * scale;
    }
}
