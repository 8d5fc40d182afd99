/* Without its sign bit a float is the larger, the larger its bits are; lroundf rounds;
 * what is decoded goes through double. */
#include "14-compression/q8_0.h"

#include <math.h>

#include "math/fmath.h"
#include "math/half.h"

void q8_0_encode(BlockQ8_0 *block, const float x[BLOCK]) {
    uint32_t most = 0;
    for (const float *at = x; at < x + BLOCK; at++) {
        uint32_t bits = float_bits(*at) & 0x7fffffff;
        most = bits > most ? bits : most;
    }
    const float scale = bits_float(most) / 127.0f;
    for (int i = 0; i < BLOCK; i++)
        block->q[i] = most ? (int8_t)lroundf(1.0f / scale * x[i]) : 0;
    block->scale = float_to_half(scale);
}

void q8_0_decode(float x[BLOCK], const BlockQ8_0 *block) {
    double scale = (double)half_to_float(block->scale);
    for (int i = 0; i < BLOCK; i++) x[i] = (float)(scale * block->q[i]);
}
