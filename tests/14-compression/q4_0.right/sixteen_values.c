/* A block has sixteen values: they are made once, and each half of a byte chooses one
 * of them. */
#include "14-compression/q4_0.h"

#include <math.h>

#include "math/half.h"

static float block_sum(float sum, const float *x, const BlockQ4_0 *b) {
    float values[16], scale = half_to_float(b->scale);
    for (int q = 0; q < 16; q++) values[q] = scale * (float)q - scale * 8;
    for (int i = 0; i < 16; i++) sum = fmaf(x[i], values[b->q[i] & 0xf], sum);
    for (int i = 0; i < 16; i++) sum = fmaf(x[16 + i], values[b->q[i] / 16], sum);
    return sum;
}

void q4_0_matvec(float *out, const float *x, const BlockQ4_0 *blocks, size_t rows,
                 size_t cols) {
    size_t across = cols / BLOCK;
    for (size_t b = 0; b < rows * across; b++) {
        float *sum = &out[b / across];
        *sum =
            block_sum(b % across == 0 ? 0 : *sum, x + b % across * BLOCK, &blocks[b]);
    }
}
