/* Exercise 19/lora: a low-rank change of a matrix (Hu et al. 2021). Several threads may
 * call it at once. */
#ifndef CHAPTER_19_LORA_H
#define CHAPTER_19_LORA_H

#include <stddef.h>

//> lora
typedef struct {
    size_t n_in, n_out, rank;
    float scale;
} LoraShape;

/* w = w0 + scale * a b. w and w0 are [n_in, n_out], a is [n_in, rank], b [rank, n_out].
 * w0 is only read: w is made anew from it after each step. Where a b is 0, w has w0's
 * bits. No two arrays overlap. */
void lora_merge(float *w, const float *w0, const float *a, const float *b,
                const LoraShape *shape);

/* The gradients of a and of b, from dw, the loss's gradient with respect to w: added to
 * da [n_in, rank] and db [rank, n_out]. No two arrays overlap. */
void lora_backward(float *da, float *db, const float *dw, const float *a,
                   const float *b, const LoraShape *shape);
//< lora

#endif
