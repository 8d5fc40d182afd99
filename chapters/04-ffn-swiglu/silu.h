/* SiLU(x) = x * sigmoid(x), also called Swish (Elfwing et al. 2017; Ramachandran et al.
 * 2017). */
#ifndef CHAPTER_04_SILU_H
#define CHAPTER_04_SILU_H

#include "tensor/tape.h"

void silu_forward(float *out, const float *x, size_t n);

/* dx += dout * s (1 + x (1 - s)) with s = sigmoid(x). */
void silu_backward(float *dx, const float *dout, const float *x, size_t n);

Tensor *silu(Tape *t, Tensor *x);

#endif
