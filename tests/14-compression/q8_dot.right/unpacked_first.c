/* Both kinds become 32 whole numbers, even places before odd ones, and one function
 * adds a block. */
#include "14-compression/q8_dot.h"

#include <math.h>
#include <stdint.h>

#include "math/half.h"

static float add_block(float sum, const int8_t w[BLOCK], uint16_t scale,
                       const BlockQ8_0 *x) {
    long whole = 0;
    for (int half = 0; half < 2; half++) {
        for (int i = half; i < BLOCK; i += 2) whole += (long)w[i] * x->q[i];
    }
    float scales = half_to_float(scale) * half_to_float(x->scale);
    return fmaf(scales, (float)whole, sum);
}

float q8_dot_q8_0(const BlockQ8_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    float sum = 0;
    for (size_t b = 0; b < n_blocks; b++)
        sum = add_block(sum, w[b].q, w[b].scale, &x[b]);
    return sum;
}

float q8_dot_q4_0(const BlockQ4_0 *w, const BlockQ8_0 *x, size_t n_blocks) {
    float sum = 0;
    for (size_t b = 0; b < n_blocks; b++) {
        int8_t q[BLOCK];
        for (int i = 0; i < BLOCK / 2; i++) {
            q[i] = (int8_t)(w[b].q[i] % 16 - 8);
            q[i + BLOCK / 2] = (int8_t)(w[b].q[i] / 16 - 8);
        }
        sum = add_block(sum, q, w[b].scale, &x[b]);
    }
    return sum;
}
