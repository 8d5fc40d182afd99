/* Dropout. Before you read on: make hint-05 EX=dropout */
#include "05-residual-blocks/dropout.h"

/* Random numbers come for so many elements at once: one by one, each would cost nine
 * times as much. */
enum { PART = 512 };

void dropout_forward(float *out, const float *x, size_t n, float p,
                     const Random *random) {
    float scale = 1.0f / (1.0f - p);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t start = 0; start < n; start += PART) {
        size_t end = n - start < PART ? n : start + PART;
        float u[PART];
        random_floats(u, random, random->next + start, end - start);
        for (size_t i = start; i < end; i++)
            out[i] = u[i - start] >= p ? x[i] * scale : 0.0f;
    }
}

void dropout_backward(float *dx, const float *dout, size_t n, float p,
                      const Random *random) {
    float scale = 1.0f / (1.0f - p);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t start = 0; start < n; start += PART) {
        size_t end = n - start < PART ? n : start + PART;
        float u[PART];
        random_floats(u, random, random->next + start, end - start);
        for (size_t i = start; i < end; i++) {
            if (u[i - start] >= p) dx[i] += dout[i] * scale;
        }
    }
}
