/* Exercise 05/dropout (Srivastava et al. 2014), and the layer around it. */
#ifndef CHAPTER_05_DROPOUT_H
#define CHAPTER_05_DROPOUT_H

#include "tensor/layer.h"

//> kernels
/* out[i] = x[i] / (1 - p) where element i is kept, else 0, for 0 <= p < 1. Element i is
 * dropped when number random->next + i of `random`, uniform in [0, 1) as random_floats
 * gives it (math/random.h), is less than p. `random` itself stays as it is. out may be
 * x. */
void dropout_forward(float *out, const float *x, size_t n, float p,
                     const Random *random);

/* dx += dout / (1 - p) where element i was kept. The same `random` gives the same
 * mask. */
void dropout_backward(float *dx, const float *dout, size_t n, float p,
                      const Random *random);
//< kernels

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
