/* Sums down the columns of a matrix, over its rows.
 *
 * The rows are taken in parts of 64, or of more, so that there are at most 16; each
 * part is summed in order, and the sums of the parts are added in order. That rounds
 * less than one long sum, and it does not depend on the number of threads: they share
 * the columns. */
#ifndef KERNELS_COLUMNS_H
#define KERNELS_COLUMNS_H

#include <stddef.h>

/* How many rows a part has. */
size_t column_part(size_t rows);

/* sums[j] += the sum over r of a[r][j]; a [rows, dim]. */
void column_sums(float *sums, const float *a, size_t rows, size_t dim);

/* sums[j] += the sum over r of a[r][j] * (x[r][j] - center[r]) * scale[r]; a and x
 * [rows, dim], center and scale [rows]; center may be NULL: 0. This is the gradient of
 * a norm's gain: the factor of a is the normalized x. */
void column_sums_normalized(float *sums, const float *a, const float *x,
                            const float *center, const float *scale, size_t rows,
                            size_t dim);

#endif
