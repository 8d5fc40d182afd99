/* The linear layer: out = x W + b. */
#ifndef CHAPTER_00_LINEAR_H
#define CHAPTER_00_LINEAR_H

#include "weights/params.h"
#include "math/random.h"
#include "tensor/tape.h"
#include "weights/weight.h"

/* out [rows, n_out] = x [rows, n_in] weight [n_in, n_out] + bias [n_out]; bias may be
 * NULL. The weight is [in, out], as in GPT-2's checkpoints (PyTorch's nn.Linear stores
 * [out, in]). */
void linear_forward(float *out, const float *x, const Weight *weight, const float *bias,
                    size_t rows);

typedef struct {
    Tensor *weight; /* [n_in, n_out] */
    Tensor *bias;   /* [n_out], or NULL */
} Linear;

/* Registers NAME.weight and, with `has_bias`, NAME.bias. The weight is drawn from N(0,
 * std^2), the bias is zero; with `init` NULL both stay zero (they will be loaded). */
Linear linear_create(Params *params, Random *init, size_t n_in, size_t n_out,
                     bool has_bias, float std, const char *name);

/* x [..., n_in] -> [..., n_out] */
Tensor *linear(Tape *t, const Linear *l, Tensor *x);

#endif
