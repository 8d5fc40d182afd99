/* Dropout. Before you read on: make hint-05 EX=dropout */
#include "05-residual-blocks/dropout.h"

/* Elements are done this many at a time: many random numbers at once cost less than one by one. */
enum { PART = 512 };

static bool is_kept(uint32_t number, float p) {
    return (float)(number >> 8) * 0x1p-24f >= p;
}

void dropout_forward(float *out, const float *x, size_t n, float p, const Random *random) {
    float scale = 1.0f / (1.0f - p);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t start = 0; start < n; start += PART) {
        uint32_t numbers[PART];
        size_t end = n - start < PART ? n : start + PART;
        random_range(numbers, random, random->next + start, end - start);
        for (size_t i = start; i < end; i++) out[i] = is_kept(numbers[i - start], p) ? x[i] * scale : 0.0f;
    }
}

void dropout_backward(float *dx, const float *dout, size_t n, float p, const Random *random) {
    float scale = 1.0f / (1.0f - p);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t start = 0; start < n; start += PART) {
        uint32_t numbers[PART];
        size_t end = n - start < PART ? n : start + PART;
        random_range(numbers, random, random->next + start, end - start);
        for (size_t i = start; i < end; i++) {
            if (is_kept(numbers[i - start], p)) dx[i] += dout[i] * scale;
        }
    }
}
