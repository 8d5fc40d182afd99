/* Exercise 04/gelu: GELU(x) = x * Phi(x) (Hendrycks & Gimpel 2016), exactly and by the tanh approximation. */
#ifndef CHAPTER_04_GELU_H
#define CHAPTER_04_GELU_H

#include <stddef.h>

/* 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): GPT-2's ("gelu_new"). */
void gelu_tanh_forward(float *out, const float *x, size_t n);
void gelu_tanh_backward(float *dx, const float *dout, const float *x, size_t n);

/* 0.5 x (1 + erf(x / sqrt 2)): exact; BERT's ("gelu"). */
void gelu_erf_forward(float *out, const float *x, size_t n);
void gelu_erf_backward(float *dx, const float *dout, const float *x, size_t n);

#endif
