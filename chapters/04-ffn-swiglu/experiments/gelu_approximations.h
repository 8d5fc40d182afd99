/* Ways to come close to GELU. */
#ifndef CHAPTER_04_GELU_APPROXIMATIONS_H
#define CHAPTER_04_GELU_APPROXIMATIONS_H

#include <stddef.h>

enum { TANH, SIGMOID, MIXED_UP, TABLE, APPROXIMATIONS };

typedef struct {
    const char *name, *column;
    void (*forward)(float *out, const float *x, size_t n);
} Approximation;

extern const Approximation approximations[APPROXIMATIONS];

typedef struct {
    double error, x;
} Worst;

/* The largest distance from the exact GELU on [-6, 6] in steps of 1/1024, and the |x| that has it. */
Worst worst_error(const Approximation *approximation);

#endif
