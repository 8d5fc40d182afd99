/* SwiGLU on the tape, around the kernels of exercise 04/swiglu. */
#ifndef CHAPTER_04_SWIGLU_LAYER_H
#define CHAPTER_04_SWIGLU_LAYER_H

#include "tensor/tape.h"

/* gate and up have the same shape. */
Tensor *swiglu(Tape *t, Tensor *gate, Tensor *up);

#endif
