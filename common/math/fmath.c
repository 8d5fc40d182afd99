/* exp, log, sin and cos in double: see fmath.h. They serve random normal numbers and
 * tables of positions, so they are written for the eye: Taylor series, with enough
 * terms for the last bit of a double. */
#include "math/fmath.h"

/* 43 bits: a multiple below 2^10 is exact */
static const double ln2_high = 0x1.62e42fefa3800p-1;
static const double ln2_low = 0x1.ef35793c76730p-45;
static const double two_pi = 0x1.921fb54442d18p+2;

static uint64_t double_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double bits_double(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* c[0] + c[1] x + c[2] x^2 + ... */
static inline double polynomial(const double *c, size_t count, double x) {
    double sum = c[count - 1];
    for (size_t i = count - 1; i-- > 0;) sum = sum * x + c[i];
    return sum;
}

/* x = 2^n m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 +
 * ...) with s = (m - 1) / (m + 1). As s (2 + f) = f with f = m - 1, the leading 2 s is
 * f - s f: so f, which is exact, carries the result. Without a branch, for
 * log_doubles. */
static inline double log_without_branch(double x) {
    static const double thirds[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                                    1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000,
                   mantissa = 0x000fffffffffffff;
    double normal = x < 0x1p-1022 ? x * 0x1p52 : x;
    uint64_t bits = double_bits(normal) + (one - sqrt_half);
    double count = (double)((int)(bits >> 52) - 1023) - (x < 0x1p-1022 ? 52.0 : 0.0);
    double f = bits_double((bits & mantissa) + sqrt_half) - 1.0;
    double s = f / (2.0 + f), s2 = s * s;
    double tail = s * (2.0 * s2 * polynomial(thirds, 10, s2) - f) + count * ln2_low;
    double result = (tail + f) + count * ln2_high;
    result = x == INFINITY ? x : result;
    result = x == 0.0 ? -INFINITY : result;
    return x < 0.0 || x != x ? NAN : result;
}

double log_double(double x) {
    return log_without_branch(x);
}

void log_doubles(double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = log_without_branch(x[i]);
}

/* x = n ln 2 + r, |r| <= ln 2 / 2; e^r by its series; 2^n in two halves,
 * so that neither leaves the normal numbers. Without a branch, for exp_doubles. */
static inline double exp_without_branch(double x) {
    double inside = x < -746.0 ? -746.0 : x;
    inside = inside > 710.0 ? 710.0 : inside;
    inside = x != x ? 0.0 : inside;
    double n = rint(inside * 0x1.71547652b82fep+0);
    double r = (inside - n * ln2_high) - n * ln2_low;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 1.0 / 2;
    double e = 1.0 + (r + r * r * p);
    int half = (int)n / 2, rest = (int)n - half;
    double result = e * bits_double((uint64_t)(half + 1023) << 52) *
                    bits_double((uint64_t)(rest + 1023) << 52);
    result = x > 710.0 ? INFINITY : result;
    result = x < -746.0 ? 0.0 : result;
    return x != x ? x : result;
}

double exp_double(double x) {
    return exp_without_branch(x);
}

void exp_doubles(double *x, size_t n, double shift) {
    for (size_t i = 0; i < n; i++) x[i] = exp_without_branch(x[i] - shift);
}

/* The sine of quadrant * pi / 2 + r with |r| <= pi / 4, by the series of sine or
 * cosine. */
static inline double sin_in_quadrant(int quadrant, double r) {
    static const double sines[] = {
        -1.0 / 6,        1.0 / 120,          -1.0 / 5040,         1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800.0, -1.0 / 1307674368e3, 1.0 / 355687428096e3};
    static const double cosines[] = {
        1.0 / 24,          -1.0 / 720,           1.0 / 40320,        -1.0 / 3628800,
        1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888e3};
    double r2 = r * r;
    double cosine = 1.0 - 0.5 * r2 + r2 * r2 * polynomial(cosines, 7, r2),
           sine = r + r * r2 * polynomial(sines, 8, r2),
           value = quadrant & 1 ? cosine : sine;
    return quadrant & 2 ? -value : value;
}

/* Whole turns drop out exactly, and so do quarters: the rest is at most an eighth of a
 * turn. */
static inline double sin_of_turn(double x, int quadrant) {
    double fraction = x - rint(x);
    double quarters = rint(4.0 * (fraction != fraction ? 0.0 : fraction));
    return sin_in_quadrant((int)quarters + quadrant,
                           two_pi * (fraction - 0.25 * quarters));
}

double sin_turn(double x) {
    return sin_of_turn(x, 0);
}
double cos_turn(double x) {
    return sin_of_turn(x, 1);
}

void cos_turns(double *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = sin_of_turn(x[i], 1);
}

/* x - n pi / 2 with pi / 2 in three parts (Cody and Waite): two of 33 bits, so that n
 * times them is exact as long as n has at most 20 bits, and the rest. */
static double sin_of_angle(double x, int quadrant) {
    const double half_pi_1 = 0x1.921fb544p+0, half_pi_2 = 0x1.0b4611a6p-34,
                 half_pi_3 = 0x1.3198a2e037073p-69;
    double n = rint(x * 0x1.45f306dc9c883p-1);
    if (!(fabs(n) < 0x1p30)) return sin_of_turn(x / two_pi, quadrant);
    double r = ((x - n * half_pi_1) - n * half_pi_2) - n * half_pi_3;
    return sin_in_quadrant((int)n + quadrant, r);
}

double sin_double(double x) {
    return sin_of_angle(x, 0);
}
double cos_double(double x) {
    return sin_of_angle(x, 1);
}
