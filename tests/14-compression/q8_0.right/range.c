/* The largest from the range; rounded by half a step away from zero, in double, where
 * the sum is exact. */
#include "14-compression/q8_0.h"

#include <string.h>

#include "math/half.h"

void q8_0_encode(BlockQ8_0 *block, const float x[BLOCK]) {
    float low = x[0], high = x[0];
    for (int i = 1; i < BLOCK; i++) {
        if (x[i] < low) low = x[i];
        if (x[i] > high) high = x[i];
    }
    float largest = high > -low ? high : -low;
    memset(block, 0, sizeof *block);
    if (largest == 0) return;
    float d = largest / 127, id = 1 / d;
    for (int i = 0; i < BLOCK; i++) {
        double steps = (double)(x[i] * id);
        block->q[i] = (int8_t)(steps < 0 ? steps - 0.5 : steps + 0.5);
    }
    block->scale = float_to_half(d);
}

void q8_0_decode(float x[BLOCK], const BlockQ8_0 *block) {
    for (int i = BLOCK - 1; i >= 0; i--)
        x[i] = (float)block->q[i] * half_to_float(block->scale);
}
