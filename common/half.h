/* Numbers of 16 bits as floats: each is a float exactly.
 * Written without branches, so that loops become vector code. */
#ifndef COMMON_HALF_H
#define COMMON_HALF_H

#include <stdint.h>

#include "fmath.h"

/* float16, IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits. */
static inline float half_to_float(uint16_t half) {
    const uint32_t rebias = 112u << 23, infinite = 31u << 23;
    uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13, sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t bits = magnitude + (magnitude >= infinite ? 2 * rebias : rebias);
    /* Below 2^-14 the fraction counts in steps of 2^-24: it is what 2^-14 (1 + fraction) exceeds 2^-14 by. */
    float small = bits_float(magnitude + (113u << 23)) - 0x1p-14f;
    bits = magnitude < 1u << 23 ? float_bits(small) : bits;
    return bits_float(bits | sign);
}

/* bfloat16 is the upper half of a float. */
static inline float bfloat_to_float(uint16_t bfloat) {
    return bits_float((uint32_t)bfloat << 16);
}

#endif
