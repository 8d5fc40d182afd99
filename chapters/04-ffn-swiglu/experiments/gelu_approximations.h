/* Ways to come close to GELU, and how close they come. */
#ifndef CHAPTER_04_GELU_APPROXIMATIONS_H
#define CHAPTER_04_GELU_APPROXIMATIONS_H

#include <stddef.h>

enum { TANH, SIGMOID, MIXED_UP, TABLE, APPROXIMATIONS };

typedef struct {
    const char *name, *column;
    void (*forward)(float *out, const float *x, size_t n);
} Approximation;

extern const Approximation approximations[APPROXIMATIONS];

/* GELU in double. Below 0 it takes erfc, since 1 + erf(x / sqrt 2) loses its digits
 * there. */
double gelu_exact(double x);

/* `intervals` + 1 exact values from -8 to 8, joined by straight lines; 0 below and x
 * above. */
void gelu_table(float *out, const float *x, size_t n, size_t intervals);

/* The largest distance from gelu_exact on [-6, 6] in steps of 1/1024, and the x that
 * has it: as a number, and in units of the last place of the exact result. */
typedef struct {
    double error, x, ulps, ulps_x;
} Worst;

Worst worst_error(void (*forward)(float *out, const float *x, size_t n));

#endif
