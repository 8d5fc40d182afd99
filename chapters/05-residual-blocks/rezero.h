/* ReZero: out = x + alpha * branch with one learned number (Bachlechner et al. 2020).
 *
 * The kernels are exercise 05/rezero; the operation on the tape is given. */
#ifndef CHAPTER_05_REZERO_H
#define CHAPTER_05_REZERO_H

#include "tensor/tape.h"

/* out = x + alpha * branch, n numbers each. */
void rezero_forward(float *out, const float *x, const float *branch, float alpha,
                    size_t n);

/* dx += dout, dbranch += alpha * dout, *dalpha += sum of dout * branch (summed in
 * double). Each may be NULL. */
void rezero_backward(float *dx, float *dbranch, float *dalpha, const float *dout,
                     const float *branch, float alpha, size_t n);

/* x and branch have the same shape; alpha has one element. */
Tensor *rezero(Tape *t, Tensor *x, Tensor *branch, Tensor *alpha);

#endif
