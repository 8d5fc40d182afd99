/* Exercise 03/rmsnorm: LayerNorm without the mean (Zhang & Sennrich 2019). Several
 * threads may call it at once. */
#ifndef CHAPTER_03_RMSNORM_H
#define CHAPTER_03_RMSNORM_H

#include <stddef.h>

/* For each row of x [rows, dim]:
 *
 *     rrms = 1 / sqrt((1/dim) sum x^2 + eps)        out = x * rrms * gain
 *
 * gain [dim] may be NULL: 1. Writes rrms [rows] for the backward pass. */
//> signatures
void rmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                     size_t rows, size_t dim, float eps);
//< signatures

/* Adds the gradients of x and of the gain to dx [rows, dim] and dgain [dim], given
 * dout = that of out, and rrms as the forward pass wrote it. Either may be NULL. */
//> signatures
void rmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                      const float *rrms, const float *gain, size_t rows, size_t dim);
//< signatures

#endif
