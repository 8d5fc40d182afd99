/* Exercise 01/layernorm: layer normalization (Ba, Kiros & Hinton 2016), every row by
 * its own mean and variance. Several threads may call it at once. */
#ifndef CHAPTER_01_LAYERNORM_H
#define CHAPTER_01_LAYERNORM_H

#include <stddef.h>

/* For each row of x [rows, dim]:
 *
 *     mean = (1/dim) sum x        rstd = 1 / sqrt((1/dim) sum (x - mean)^2 + eps)
 *     out  = (x - mean) * rstd * gain + bias
 *
 * The variance is divided by dim, not dim - 1, and eps stands inside the root. gain and
 * bias [dim] may be NULL: 1 and 0. Writes mean and rstd [rows], which the backward pass
 * needs.
 *
 * Rows with a large offset (10000 +- 1) must come out right, and a row of equal numbers
 * must give the bias: in float, the mean of 768 times 10000.1 is not 10000.1. */
//> layernorm_forward
void layernorm_forward(float *out, float *mean, float *rstd, const float *x,
                       const float *gain, const float *bias, size_t rows, size_t dim,
                       float eps);
//< layernorm_forward

/* Adds the gradients, given dout [rows, dim] and the forward pass's mean and rstd. x
 * moves the statistics of its row too, and dx accounts for that; dgain and dbias are
 * summed over the rows. dx, dgain, dbias may be NULL, and gain, which counts as 1. */
//> layernorm_backward
void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim);
//< layernorm_backward

#endif
