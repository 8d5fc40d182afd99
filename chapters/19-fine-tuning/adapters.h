/* LoRA for a whole model: a low-rank change of each matrix in its blocks, which is
 * trained in the place of the matrix. Neither the layers nor the tape know of it: what
 * is changed is written into the parameter, and its gradient is taken from there. */
#ifndef CHAPTER_19_ADAPTERS_H
#define CHAPTER_19_ADAPTERS_H

#include "10-gpt2/gpt2.h"
#include "19-fine-tuning/lora.h"

typedef struct {
    Tensor *w; /* the model's parameter [n_in, n_out] */
    float *w0; /* what it was at the start */
    Tensor *a, *b;
    LoraShape shape;
} Adapter;

typedef struct {
    Params params; /* every a and b, with their gradients: what is trained */
    size_t n;
    Adapter *items;
} Adapters;

/* Of a model with gradients. a is drawn evenly from -1/sqrt(n_in) to 1/sqrt(n_in), b is
 * 0: at first nothing is changed, to the bit. Ends the program where a matrix has not
 * as many rows and columns as `rank`. */
Adapters adapters_create(const Gpt2 *model, size_t rank, float scale, Random *init);

/* Gives every a and b its gradient, from that of its matrix. */
void adapters_backward(Adapters *adapters);

/* Writes every changed matrix into the model. */
void adapters_merge(const Adapters *adapters);

/* The model keeps what was merged last. */
void adapters_free(Adapters *adapters);

#endif
