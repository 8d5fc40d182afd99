/* Exercise 03/prmsnorm: RMSNorm whose statistic looks at the first part of the row only
 * (Zhang & Sennrich 2019: the elements of a row are much alike, so a few of them tell
 * the size of all). Several threads may call it at once. */
#ifndef CHAPTER_03_PRMSNORM_H
#define CHAPTER_03_PRMSNORM_H

#include <stddef.h>

/* For each row of x [rows, dim], with 1 <= part <= dim:
 *
 *     rrms = 1 / sqrt((1/part) (sum of x^2 over the first `part` elements) + eps)
 *     out  = x * rrms * gain
 *
 * All elements are scaled, only the first `part` are measured; part = dim is RMSNorm.
 * The paper's p is part / dim. gain [dim] may be NULL: 1. Writes rrms [rows]. */
//> signatures
void prmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                      size_t rows, size_t dim, size_t part, float eps);
//< signatures

/* Adds the gradients of x and of the gain to dx [rows, dim] and dgain [dim], given
 * dout = that of out, and rrms as the forward pass wrote it. Either may be NULL. */
//> signatures
void prmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                       const float *rrms, const float *gain, size_t rows, size_t dim,
                       size_t part);
//< signatures

#endif
