/* GELU(x) = x * Phi(x) (Hendrycks & Gimpel 2016), exactly and by the tanh
 * approximation.
 *
 * The kernels are exercise 04/gelu; the operations on the tape are given. */
#ifndef CHAPTER_04_GELU_H
#define CHAPTER_04_GELU_H

#include "tensor/tape.h"

/* 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): GPT-2's ("gelu_new"). */
//> signatures
void gelu_tanh_forward(float *out, const float *x, size_t n);
//< signatures

/* With u = sqrt(2/pi) (x + 0.044715 x^3) and u' = sqrt(2/pi) (1 + 3 * 0.044715 x^2):
 * dx += dout * (0.5 (1 + tanh u) + 0.5 x (1 - tanh^2 u) u'). */
//> signatures
void gelu_tanh_backward(float *dx, const float *dout, const float *x, size_t n);
//< signatures

/* 0.5 x (1 + erf(x / sqrt 2)): exact; Hugging Face's "gelu", also in its BERT, whose
 * own code had the tanh form. */
//> signatures
void gelu_erf_forward(float *out, const float *x, size_t n);
//< signatures

/* dx += dout * (Phi(x) + x phi(x)): Phi the normal distribution,
 * phi(x) = exp(-x^2 / 2) / sqrt(2 pi) its density. */
//> signatures
void gelu_erf_backward(float *dx, const float *dout, const float *x, size_t n);
//< signatures

Tensor *gelu_tanh(Tape *t, Tensor *x);
Tensor *gelu_erf(Tape *t, Tensor *x);

#endif
