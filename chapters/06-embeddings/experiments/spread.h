/* The results of several seeds: the mean, the smallest and the largest. */
#ifndef CHAPTER_06_SPREAD_H
#define CHAPTER_06_SPREAD_H

#include <stddef.h>

typedef struct {
    double mean, low, high;
} Spread;

/* The spread of x[0], x[stride], ... x[(n - 1) stride], n > 0; NaN if one of them
 * is. */
Spread spread_of(const double *x, size_t n, size_t stride);

#endif
