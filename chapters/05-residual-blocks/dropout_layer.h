/* Dropout on the tape and as a layer, around the kernels of exercise 05/dropout. */
#ifndef CHAPTER_05_DROPOUT_LAYER_H
#define CHAPTER_05_DROPOUT_LAYER_H

#include "math/random.h"
#include "tensor/layer.h"

/* Dropout in training mode; x itself in evaluation mode or when p is 0. Takes its
 * numbers from the tape. */
Tensor *dropout(Tape *t, Tensor *x, float p);

/* The Random of the next n numbers of the tape: for a layer that draws its own mask
 * (attention weights). */
Random dropout_random(Tape *t, size_t n);

/* The layer x -> dropout(inner(x)): where GPT-2 drops the output of a sublayer.
 * `self` must stay where it is. */
typedef struct {
    Layer inner;
    float p;
} DropoutAfter;

Layer dropout_after(const DropoutAfter *self);

#endif
