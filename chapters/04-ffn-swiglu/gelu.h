/* Exercise 04/gelu: GELU(x) = x * Phi(x) (Hendrycks & Gimpel 2016), exactly and by the
 * tanh approximation. Several threads may call it at once. */
#ifndef CHAPTER_04_GELU_H
#define CHAPTER_04_GELU_H

#include <stddef.h>

//> signatures
/* 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): GPT-2's ("gelu_new"). Large inputs
 * give the formula's limit, x or 0. */
void gelu_tanh_forward(float *out, const float *x, size_t n);

/* dx += dout times the slope of that form at x (not of the exact one). dx is added to,
 * not overwritten. */
void gelu_tanh_backward(float *dx, const float *dout, const float *x, size_t n);

/* 0.5 x (1 + erf(x / sqrt 2)): exact; Hugging Face's "gelu". BERT's own code began with
 * it and changed to the tanh form later. */
void gelu_erf_forward(float *out, const float *x, size_t n);

/* dx += dout times the slope of the exact form at x. */
void gelu_erf_backward(float *dx, const float *dout, const float *x, size_t n);
//< signatures

#endif
