/* The softmax of a row of numbers, and the logarithm of its denominator. */
#ifndef KERNELS_SOFTMAX_H
#define KERNELS_SOFTMAX_H

#include <stddef.h>

/* out = exp(scale x) / sum of exp(scale x), for scale > 0. The largest x is subtracted
 * first, so that exp cannot overflow; -infinity gives 0. out may be x. */
void row_softmax(float *out, const float *x, size_t n, float scale);

/* ln(sum of exp(x)), from the largest x as above. */
float row_logsumexp(const float *x, size_t n);

#endif
