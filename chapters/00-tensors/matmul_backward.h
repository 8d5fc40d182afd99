/* Exercise 00/matmul_backward: the gradient of out = x W + b. Several threads may call
 * it at once. */
#ifndef CHAPTER_00_MATMUL_BACKWARD_H
#define CHAPTER_00_MATMUL_BACKWARD_H

#include <stddef.h>

/* Given dout [rows, n_out], the gradient of out, adds the gradients of x, W and b to dx
 * [rows, n_in], dweight [n_in, n_out] and dbias [n_out]. x is [rows, n_in], weight
 * [n_in, n_out]. Any of dx, dweight, dbias may be NULL: that gradient is not needed. */
//> signature
void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout,
                     const float *x, const float *weight, size_t rows, size_t n_in,
                     size_t n_out);
//< signature

#endif
