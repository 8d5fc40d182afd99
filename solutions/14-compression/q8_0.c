/* Q8_0. Before you read on: make hint-14 EX=q8_0 */
#include "14-compression/q8_0.h"

#include <math.h>

#include "math/half.h"

void q8_0_encode(BlockQ8_0 *block, const float x[BLOCK]) {
    float largest = 0;
    for (int i = 0; i < BLOCK; i++) largest = fmaxf(largest, fabsf(x[i]));
    float scale = largest / 127, inverse = scale != 0 ? 1 / scale : 0;
    block->scale = float_to_half(scale);
    for (int i = 0; i < BLOCK; i++) block->q[i] = (int8_t)roundf(x[i] * inverse);
}

void q8_0_decode(float x[BLOCK], const BlockQ8_0 *block) {
    float scale = half_to_float(block->scale);
    for (int i = 0; i < BLOCK; i++) x[i] = scale * (float)block->q[i];
}
