/* Exercise 01/welford: mean and variance in one pass, one number at a time (Welford
 * 1962; merging: Chan, Golub & LeVeque 1979). */
#ifndef CHAPTER_01_WELFORD_H
#define CHAPTER_01_WELFORD_H

#include <stdbool.h>
#include <stddef.h>

/* Statistics of the numbers seen so far; {0} before the first. All in single precision,
 * as in a kernel. */
typedef struct {
    size_t count;
    float mean;
    float m2; /* the sum of (x - mean)^2, with the mean of the numbers so far */
} WelfordStats;

/* Takes in one more number: count, mean and m2 are then those of all numbers, this one
 * included. Neither a sum of x nor one of x^2 is formed, so that numbers with a large
 * offset (10000 +- 1) keep their digits. */
//> signatures
void welford_update(WelfordStats *s, float x);
//< signatures

/* Takes in all that `other` has seen: s is then what it would be had it processed both
 * lists of numbers, up to rounding, and as exact as above. Either may be empty. */
//> signatures
void welford_merge(WelfordStats *s, const WelfordStats *other);
//< signatures

/* The variance: m2 / count, or with `unbiased` m2 / (count - 1). NaN where the divisor
 * is 0, as PyTorch. */
//> signatures
float welford_variance(const WelfordStats *s, bool unbiased);
//< signatures

#endif
