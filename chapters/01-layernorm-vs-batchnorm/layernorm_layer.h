/* LayerNorm as a layer on the tape, around the kernels of exercise 01/layernorm. */
#ifndef CHAPTER_01_LAYERNORM_LAYER_H
#define CHAPTER_01_LAYERNORM_LAYER_H

#include <stdbool.h>

#include "tensor/layer.h"
#include "weights/params.h"

/* The layer. It normalizes over the last `ndim` axes, which must be `normalized_shape`
 * and have `dim` elements together. */
typedef struct {
    Tensor *gain, *bias; /* of shape normalized_shape, or NULL */
    int ndim;
    size_t normalized_shape[TENSOR_MAX_NDIM], dim;
    float eps;
} LayerNorm;

/* Registers NAME.weight (gain, ones) and NAME.bias (zeros), Hugging Face's names, of
 * shape `normalized_shape` (ndim axes). eps is 1e-5 in GPT-2. */
LayerNorm layernorm_create(Params *params, int ndim, const size_t *normalized_shape,
                           float eps, const char *name);

/* The same without a gain, a bias or both (PyTorch's bias=False and
 * elementwise_affine=False). `params` may be NULL when there is neither. */
LayerNorm layernorm_create_with(Params *params, int ndim,
                                const size_t *normalized_shape, float eps,
                                bool has_gain, bool has_bias, const char *name);

/* x [..., normalized_shape] -> the same shape. */
Tensor *layernorm(Tape *t, const LayerNorm *l, Tensor *x);

Layer layernorm_layer(const LayerNorm *l);

#endif
