/* Numbers of 16 bits and floats. Each of 16 bits is a float exactly; that conversion is
 * written without branches, so that loops become vector code. The conversion from a
 * float rounds to the nearest, of two equally near ones to the even. */
#ifndef MATH_HALF_H
#define MATH_HALF_H

#include <stdint.h>

#include "math/fmath.h"

/* float16, IEEE 754 binary16: 1 sign, 5 exponent (bias 15), 10 fraction bits. */
static inline float half_to_float(uint16_t half) {
    const uint32_t rebias = 112u << 23, infinite = 31u << 23;
    uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13,
             sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t bits = magnitude + (magnitude >= infinite ? 2 * rebias : rebias);
    /* Below 2^-14 the fraction counts in steps of 2^-24: the number is 2^-14 (1 +
     * fraction) - 2^-14. */
    float small = bits_float(magnitude + (113u << 23)) - 0x1p-14f;
    bits = magnitude < 1u << 23 ? float_bits(small) : bits;
    return bits_float(bits | sign);
}

/* bfloat16 is the upper half of a float. */
static inline float bfloat_to_float(uint16_t bfloat) {
    return bits_float((uint32_t)bfloat << 16);
}

static inline uint16_t float_to_half(float x) {
    const uint32_t infinite = 0x7f800000, too_large = 0x477ff000, normal = 113u << 23;
    uint32_t bits = float_bits(x), magnitude = bits & 0x7fffffff,
             sign = bits >> 16 & 0x8000;
    uint32_t half;
    if (magnitude > infinite) half = 0x7e00;
    /* 65520, half-way to the next half, which would be 65536 */
    else if (magnitude >= too_large)
        half = 0x7c00;
    else if (magnitude < normal) /* steps of 2^-24 are those of floats from 0.5 on: the
                                    sum rounds */
        half = float_bits(bits_float(magnitude) + 0.5f) - float_bits(0.5f);
    else
        half = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
    return (uint16_t)(half | sign);
}

static inline uint16_t float_to_bfloat(float x) {
    uint32_t bits = float_bits(x);
    /* NaN stays NaN */
    if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

#endif
