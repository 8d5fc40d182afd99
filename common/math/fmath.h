/* exp, tanh, erf and their kin, written here rather than taken from libm.
 *
 * Two reasons. Every C library rounds these functions a little differently, and our
 * results shall be the same bytes everywhere; and a loop that calls a function written
 * like this, without a branch, is turned into vector instructions by the compiler,
 * while a loop that calls libm's is not. Only + - * /, comparisons and integer steps on
 * the bits of a float are used, each exact by the IEEE standard; sqrt is exact too and
 * comes from <math.h>.
 *
 * Each function brings its argument into a small interval, where a polynomial is
 * enough, and then undoes that step. The polynomials of the float functions are minimax
 * fits (Remez exchange on the relative error of the result, then rounded to float).
 * Errors are in ulp, units in the last place, the largest over all 2^32 floats; 0.5
 * would be a correctly rounded result. tests/common/fmath.c checks them on a dense
 * sample. A NaN gives a NaN. */
#ifndef MATH_FMATH_H
#define MATH_FMATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float bits_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 2^n for n in -126 .. 127: n moved to where a float keeps its exponent. */
static inline float power_of_two(int32_t n) {
    return bits_float((uint32_t)(n + 127) << 23);
}

/* Writes x as n ln 2 + r with |r| <= ln 2 / 2 and returns e^r - 1, for |x| < 300;
 * beyond that, something.
 *
 * Adding 1.5 * 2^23 rounds to an integer, as floats of that size have no fraction, and
 * leaves the integer in the low bits. The larger part of ln 2 has 15 bits, so that n
 * times it is exact: only the small part loses digits. */
static inline float exp_reduced(float x, int32_t *n) {
    const float round = 0x1.8p23f, log2_e = 0x1.715476p+0f, ln2_high = 0x1.62e4p-1f,
                ln2_low = 0x1.7f7d1cp-20f;
    float shifted = x * log2_e + round;
    float count = shifted - round;
    *n = (int32_t)(float_bits(shifted) - float_bits(round));
    float r = (x - count * ln2_high) - count * ln2_low;
    float q = 0x1.6a2434p-10f;
    q = q * r + 0x1.1239e2p-7f;
    q = q * r + 0x1.5558f2p-5f;
    q = q * r + 0x1.555492p-3f;
    q = q * r + 0x1.fffffcp-2f;
    return r + r * r * q;
}

/* e^x, within 0.98 ulp; 0 where it is smaller than a normal float, below -87.33654. The
 * power of two is added to the exponent's bits. Subnormal results would cost a second
 * step, and many processors compute with them slowly. */
static inline float exp_float(float x) {
    int32_t n;
    float e = 1.0f + exp_reduced(x, &n);
    float result = bits_float(float_bits(e) + ((uint32_t)n << 23));
    result = x > 0x1.62e42ep+6f ? INFINITY : result;
    result = x < -0x1.5d589ep+6f ? 0.0f : result;
    return x != x ? x : result;
}

/* tanh |x| = -t / (2 + t) with t = e^(-2|x|) - 1 = 2^n (e^r - 1) + (2^n - 1);
 * within 2.5 ulp. */
static inline float tanh_float(float x) {
    float twice = -2.0f * fabsf(x);
    twice = twice < -20.0f ? -20.0f : twice;
    int32_t n;
    float e = exp_reduced(twice, &n);
    float scale = power_of_two(n);
    float t = scale * e + (scale - 1.0f);
    return copysignf(t / (2.0f + t), x);
}

/* The logistic function 1 / (1 + e^-x),
 * written so that neither large x nor small loses digits; within 2.41 ulp. */
static inline float sigmoid_float(float x) {
    float e = exp_float(-fabsf(x));
    return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

/* erf x, within 1.62 ulp: near 0 x (1 + P(x^2)), further out 1 - e^Q(|x|), which is 1
 * in float beyond 4. */
static inline float erf_float(float x) {
    float t = fabsf(x);
    float z = x * x;
    float p = 0x1.6510c4p-14f;
    p = p * z - 0x1.aca394p-11f;
    p = p * z + 0x1.550a44p-8f;
    p = p * z - 0x1.b81524p-6f;
    p = p * z + 0x1.ce2e54p-4f;
    p = p * z - 0x1.812744p-2f;
    p = p * z + 0x1.06eba8p-3f;
    float near = x + x * p;
    float s = t > 4.0f ? 4.0f : t;
    float q = -0x1.5d71e0p-16f;
    q = q * s + 0x1.c45916p-12f;
    q = q * s - 0x1.106252p-8f;
    q = q * s + 0x1.9aebb0p-6f;
    q = q * s - 0x1.bb4538p-4f;
    q = q * s - 0x1.444d1ep-1f;
    q = q * s - 0x1.212626p+0f;
    q = q * s + 0x1.62d8c2p-13f;
    float far = copysignf(1.0f - exp_float(q), x);
    return t < 0.9f ? near : far;
}

/* The natural logarithm, within 0.85 ulp; NaN below 0. x = 2^n m with m in [sqrt(1/2),
 * sqrt(2)), and with f = m - 1, ln m = f - f^2 / 2 + f^3 Q(f). */
static inline float log_float(float x) {
    const float smallest = 0x1p-126f, ln2_high = 0x1.62e4p-1f,
                ln2_low = 0x1.7f7d1cp-20f;
    const uint32_t sqrt_half = 0x3f3504f3, one = 0x3f800000, mantissa = 0x007fffff;
    float normal = x < smallest ? x * 0x1p23f : x;
    uint32_t bits = float_bits(normal) + (one - sqrt_half);
    int32_t n = (int32_t)(bits >> 23) - 127;
    float count = (float)n - (x < smallest ? 23.0f : 0.0f);
    float f = bits_float((bits & mantissa) + sqrt_half) - 1.0f;
    float q = 0x1.1457a6p-4f;
    q = q * f - 0x1.de3c12p-4f;
    q = q * f + 0x1.e6f068p-4f;
    q = q * f - 0x1.fc2208p-4f;
    q = q * f + 0x1.233768p-3f;
    q = q * f - 0x1.555c4ep-3f;
    q = q * f + 0x1.99a4b6p-3f;
    q = q * f - 0x1.000006p-2f;
    q = q * f + 0x1.555548p-2f;
    float f2 = f * f;
    float small = f2 * f * q + count * ln2_low - 0.5f * f2;
    float result = (small + f) + count * ln2_high;
    result = x == INFINITY ? x : result;
    result = x == 0.0f ? -INFINITY : result;
    return x < 0.0f || x != x ? NAN : result;
}

/* The rest is in double, within about 1e-15 of the result, or of 1 for sines. */
double log_double(double x);
double exp_double(double x);

/* x[i] = exp_double(x[i] - shift), log_double(x[i]) or cos_turn(x[i]), with the same
 * bits, several at a time. */
void exp_doubles(double *x, size_t n, double shift);
void log_doubles(double *x, size_t n);
void cos_turns(double *x, size_t n);

/* cos and sin of 2 pi x: the argument is in turns, so that no multiple of pi has to be
 * taken off it. */
double cos_turn(double x);
double sin_turn(double x);

/* sin and cos of an angle in radians. Up to 10^6 all digits hold, then fewer and
 * fewer. */
double sin_double(double x);
double cos_double(double x);

#endif
