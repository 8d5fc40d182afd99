/* ReLU: max(x, 0). */
#ifndef CHAPTER_00_RELU_H
#define CHAPTER_00_RELU_H

#include "tensor/tape.h"

void relu_forward(float *out, const float *x, size_t n);

/* dx += dout where x > 0; the slope at 0 is taken as 0, as PyTorch does. */
void relu_backward(float *dx, const float *dout, const float *x, size_t n);

Tensor *relu(Tape *t, Tensor *x);

#endif
