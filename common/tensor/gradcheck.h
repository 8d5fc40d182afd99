/* Gradient checks: central differences in double.
 *
 * (f(x + h) - f(x - h)) / 2h has an error of order h^2 from the Taylor series and of
 * order u/h from rounding (u: the unit roundoff). In double the two meet near h = 1e-5
 * at an error of about 1e-10; in float near 1e-2 at 3e-5, which is too coarse to see a
 * small mistake. So a test differences a plain double version of the forward pass. */
#ifndef TENSOR_GRADCHECK_H
#define TENSOR_GRADCHECK_H

#include <stddef.h>

/* A scalar function of n numbers. */
typedef double ScalarFunction(const double *x, size_t n, void *context);

/* gradient[i] = df/dx[i] by central differences of step h * max(1, |x[i]|). x is
 * changed and restored. */
void numeric_gradient(double *gradient, ScalarFunction *f, double *x, size_t n,
                      double h, void *context);

/* The largest |a[i] - b[i]| divided by the largest |b[i]| (by 1 if b is zero); NaN if
 * there is a NaN. */
double relative_difference(const float *a, const double *b, size_t n);

#endif
