/* A product with Q4_0. Before you read on: make hint-14 EX=q4_0 */
#include "14-compression/q4_0.h"

#include <math.h>

#include "math/half.h"

void q4_0_matvec(float *out, const float *x, const BlockQ4_0 *blocks, size_t rows,
                 size_t cols) {
    for (size_t r = 0; r < rows; r++) {
        float sum = 0;
        for (size_t c = 0; c < cols; c += BLOCK, blocks++) {
            float scale = half_to_float(blocks->scale);
            for (size_t i = 0; i < BLOCK; i++) {
                int q =
                    i < BLOCK / 2 ? blocks->q[i] & 15 : blocks->q[i - BLOCK / 2] >> 4;
                sum = fmaf(x[c + i], scale * (float)(q - 8), sum);
            }
        }
        out[r] = sum;
    }
}
