/* ReZero on the tape, around the kernels of exercise 05/rezero. */
#ifndef CHAPTER_05_REZERO_LAYER_H
#define CHAPTER_05_REZERO_LAYER_H

#include "tensor/tape.h"

/* x and branch have the same shape; alpha has one element. */
Tensor *rezero(Tape *t, Tensor *x, Tensor *branch, Tensor *alpha);

#endif
