/* Exercise 04/swiglu: the gate of LLaMA's FFN (Shazeer 2020), silu(gate) * up. Several
 * threads may call it at once. */
#ifndef CHAPTER_04_SWIGLU_H
#define CHAPTER_04_SWIGLU_H

#include <stddef.h>

//> signatures
/* out = gate * sigmoid(gate) * up, element by element. */
void swiglu_forward(float *out, const float *gate, const float *up, size_t n);

/* Adds the gradients of both factors to dgate and dup, which hold others already;
 * either may be NULL. */
void swiglu_backward(float *dgate, float *dup, const float *dout, const float *gate,
                     const float *up, size_t n);
//< signatures

#endif
