/* a b + c, rounded once, where the processor has no instruction for that: WebAssembly,
 * x86-64 before 2013.
 *
 * The product of two floats is exact in double. Its sum with a third is rounded to 53
 * bits, then to the 24 of a float. That is what rounding once gives, unless the double
 * lies exactly half-way between two floats and the sum did not. Rounded to odd first
 * (Boldo and Melquiond, 2008) it never lies there: where digits were lost and the last
 * one left is even, the odd neighbour on the side of the loss takes its place. */
#ifndef KERNELS_FUSED_H
#define KERNELS_FUSED_H

#include <stdint.h>

#include "kernels/simd.h"
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#if SIMD_WIDTH == 4

/* Two doubles: a half of a vector of four floats. */
typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
typedef int64_t PairBits __attribute__((vector_size(2 * sizeof(int64_t))));

static inline Pair low_pair(Floats x) {
    return (Pair){x[0], x[1]};
}
static inline Pair high_pair(Floats x) {
    return (Pair){x[2], x[3]};
}

/* clang 14 finds WebAssembly's instructions for this and the next only where they are
 * named. */
static inline Floats pairs_to_floats(Pair low, Pair high) {
#ifdef __wasm_simd128__
    v128_t a = wasm_f32x4_demote_f64x2_zero((v128_t)low),
           b = wasm_f32x4_demote_f64x2_zero((v128_t)high);
    return (Floats)wasm_i64x2_shuffle(a, b, 0, 2);
#else
    return (Floats){(float)low[0], (float)low[1], (float)high[0], (float)high[1]};
#endif
}

static inline int is_any(PairBits mask) {
#ifdef __wasm_simd128__
    return wasm_v128_any_true((v128_t)mask);
#else
    return (mask[0] | mask[1]) != 0;
#endif
}

/* The lanes where rounding twice may differ: half-way between two floats; or below the
 * normal ones, where floats have fewer digits. */
static inline PairBits is_doubtful(Pair sum) {
    const int64_t beyond_float = 0x1fffffff, half = 0x10000000, magnitude = INT64_MAX;
    PairBits bits = (PairBits)sum;
    PairBits is_tiny = (Pair)(bits & magnitude) < 0x1p-126;
    return ((bits & beyond_float) == half) | (is_tiny & (sum != 0.0));
}

/* sum = product + c, rounded to odd instead. What a sum of doubles loses is a double
 * (Knuth's two-sum); where the sum is not finite it is NaN, neither above 0 nor
 * below. */
static inline Pair round_to_odd(Pair sum, Pair product, Pair c) {
    Pair added = sum - product, lost = (product - (sum - added)) + (c - added);
    PairBits bits = (PairBits)sum, is_even = (bits & 1) == 0,
             is_inexact = (lost > 0.0) | (lost < 0.0);
    PairBits outwards = (lost > 0.0) == (sum > 0.0);
    return (Pair)(bits + (is_inexact & is_even & ((outwards & 2) - 1)));
}

static __attribute__((noinline, unused)) Floats fused_in_doubt(Floats a, Floats b,
                                                               Floats c) {
    Pair low = low_pair(a) * low_pair(b), high = high_pair(a) * high_pair(b);
    Pair c_low = low_pair(c), c_high = high_pair(c);
    return pairs_to_floats(round_to_odd(low + c_low, low, c_low),
                           round_to_odd(high + c_high, high, c_high));
}

static inline Floats fused_multiply_add(Floats a, Floats b, Floats c) {
    Pair low = low_pair(a) * low_pair(b) + low_pair(c),
         high = high_pair(a) * high_pair(b) + high_pair(c);
    if (__builtin_expect(is_any(is_doubtful(low) | is_doubtful(high)), 0))
        return fused_in_doubt(a, b, c);
    return pairs_to_floats(low, high);
}

#endif

#endif
