/* Exercise 00/matmul_backward: the gradient of out = x W + b. */
#ifndef CHAPTER_00_MATMUL_BACKWARD_H
#define CHAPTER_00_MATMUL_BACKWARD_H

#include <stddef.h>

/* Adds the gradients of out = x W + b, given dout [rows, n_out]:
 *
 *     dx      [rows, n_in]   += dout W^T
 *     dweight [n_in, n_out]  += x^T dout
 *     dbias   [n_out]        += the sum of dout over the rows
 *
 * x is [rows, n_in], weight [n_in, n_out]. Any of dx, dweight, dbias may be NULL:
 * nobody wants it. */
//> signature
void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout,
                     const float *x, const float *weight, size_t rows, size_t n_in,
                     size_t n_out);
//< signature

#endif
