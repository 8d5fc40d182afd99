/* Integer dot products. Before you read on: make hint-14 EX=q8_dot */
#include "14-compression/q8_dot.h"

#include <math.h>

#include "math/half.h"

float q8_dot_q8_0(const BlockQ8_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    float sum = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        int whole = 0;
        for (int i = 0; i < BLOCK; i++) whole += w[b].q[i] * x[b].q[i];
        float scale = half_to_float(w[b].scale) * half_to_float(x[b].scale);
        sum = fmaf((float)whole, scale, sum);
    }
    return sum;
}

float q8_dot_q4_0(const BlockQ4_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    float sum = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        int whole = 0;
        for (int i = 0; i < BLOCK / 2; i++) {
            int low = w[b].q[i] & 15, high = w[b].q[i] >> 4;
            whole += (low - 8) * x[b].q[i] + (high - 8) * x[b].q[i + BLOCK / 2];
        }
        float scale = half_to_float(w[b].scale) * half_to_float(x[b].scale);
        sum = fmaf((float)whole, scale, sum);
    }
    return sum;
}
