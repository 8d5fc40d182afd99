/* RMSNorm as a layer on the tape, around the kernels of exercise 03/rmsnorm. */
#ifndef CHAPTER_03_RMSNORM_LAYER_H
#define CHAPTER_03_RMSNORM_LAYER_H

#include "tensor/tape.h"
#include "weights/params.h"

typedef struct {
    Tensor *gain; /* [dim] */
    size_t dim;
    float eps;
} RMSNorm;

/* Registers NAME.weight, ones. */
RMSNorm rmsnorm_create(Params *params, size_t dim, float eps, const char *name);

/* x [..., dim] -> the same shape. */
Tensor *rmsnorm(Tape *t, const RMSNorm *l, Tensor *x);

#endif
