/* The sublayer of this chapter: linear, ReLU, linear. */
#ifndef CHAPTER_02_MLP_H
#define CHAPTER_02_MLP_H

#include "00-tensors/linear.h"
#include "tensor/layer.h"

typedef struct {
    Linear up;   /* [d_model, d_hidden] */
    Linear down; /* [d_hidden, d_model] */
} Mlp;

/* Registers NAME.c_fc and NAME.c_proj, each .weight and .bias. Biases are zero; weights
 * are drawn so that the output has the mean square of the input: N(0, 2/d_model), as
 * ReLU loses half of it (He et al. 2015), then N(0, 1/d_hidden). */
Mlp mlp_create(Params *params, Random *init, size_t d_model, size_t d_hidden,
               const char *name);

/* x [..., d_model] -> [..., d_model]. The Layer points to `m`, which must stay where it
 * is. */
Layer mlp_layer(const Mlp *m);

#endif
