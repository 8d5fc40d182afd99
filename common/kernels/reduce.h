/* Sums of rows in a fixed order: 16 partial sums ("lanes"), then a fixed tree over the
 * lanes.
 *
 * Floating-point addition is not associative, so the order of a sum is part of its
 * result. A compiler may not reorder one; and a machine with vectors of 4, 8 or 16
 * floats would each be fastest with another order. We fix one that suits all: element i
 * belongs to lane i mod 16, and the lanes are added pairwise (8 apart, 4, 2, 1). */
#ifndef KERNELS_REDUCE_H
#define KERNELS_REDUCE_H

#include <stddef.h>

/* Sum of x[i]. */
float row_sum(const float *x, size_t n);

/* The same, but the lanes are double: where large numbers cancel. */
double row_sum_double(const float *x, size_t n);

/* Sum of a[i] * b[i]. */
float row_dot(const float *a, const float *b, size_t n);

/* Sum of (x[i] - center)^2. */
float row_sum_squares(const float *x, float center, size_t n);

/* Sum of a[i] * b[i], and of a[i] * b[i] * (x[i] - center) * scale; b may be NULL: 1.
 * The backward pass of a norm needs these sums of a row, (x - center) * scale being the
 * normalized row. The products are rounded to float, from left to right; row_sum adds
 * 256 of them at a time, and these sums are added in double. */
double row_sum_products(const float *a, const float *b, size_t n);
double row_sum_normalized(const float *a, const float *b, const float *x, float center,
                          float scale, size_t n);

/* The largest x[i]; NaN if any is NaN; -infinity for n = 0. */
float row_max(const float *x, size_t n);

#endif
