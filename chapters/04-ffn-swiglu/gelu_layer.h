/* GELU on the tape, around the kernels of exercise 04/gelu. */
#ifndef CHAPTER_04_GELU_LAYER_H
#define CHAPTER_04_GELU_LAYER_H

#include "tensor/tape.h"

Tensor *gelu_tanh(Tape *t, Tensor *x);
Tensor *gelu_erf(Tape *t, Tensor *x);

#endif
