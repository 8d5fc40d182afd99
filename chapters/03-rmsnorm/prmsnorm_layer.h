/* pRMSNorm as a layer on the tape, around the kernels of exercise 03/prmsnorm. */
#ifndef CHAPTER_03_PRMSNORM_LAYER_H
#define CHAPTER_03_PRMSNORM_LAYER_H

#include "tensor/layer.h"
#include "weights/params.h"

typedef struct {
    Tensor *gain;     /* [dim] */
    size_t dim, part; /* the elements of a row, and how many of them are measured */
    float eps;
} PRMSNorm;

/* Registers NAME.weight, ones. 1 <= part <= dim. */
PRMSNorm prmsnorm_create(Params *params, size_t dim, size_t part, float eps,
                         const char *name);

/* x [..., dim] -> the same shape. */
Tensor *prmsnorm(Tape *t, const PRMSNorm *l, Tensor *x);

Layer prmsnorm_layer(const PRMSNorm *l);

#endif
