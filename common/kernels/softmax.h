/* The softmax of a row of numbers, and the logarithm of its denominator. */
#ifndef KERNELS_SOFTMAX_H
#define KERNELS_SOFTMAX_H

#include <stddef.h>

/* out = exp(scale x) / sum of exp(scale x), for scale > 0. The largest x is subtracted
 * first, so that exp cannot overflow; -infinity gives 0. out may be x. */
void row_softmax(float *out, const float *x, size_t n, float scale);

/* x *= factor. A softmax that is taken in parts scales its sums so, when a larger x
 * comes. */
static inline void row_scale(float *x, float factor, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] *= factor;
}

/* ln(sum of exp(x)), from the largest x as above. */
float row_logsumexp(const float *x, size_t n);

#endif
