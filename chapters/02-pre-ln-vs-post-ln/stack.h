/* A stack of residual sublayers: the smallest model that has depth, for experiments
 * about depth.
 *
 *     x -> residual 0 -> ... -> residual depth-1 -> final norm (pre-LN only)
 *       -> head (optional)
 *
 * Every sublayer is an Mlp. Experiments that want other norms or joins set
 * `without_norms` or overwrite `residuals[l].norm`, `residuals[l].join` and
 * `final_norm` after stack_create. */
#ifndef CHAPTER_02_STACK_H
#define CHAPTER_02_STACK_H

#include "01-layernorm-vs-batchnorm/layernorm_layer.h"
#include "02-pre-ln-vs-post-ln/mlp.h"
#include "02-pre-ln-vs-post-ln/residual.h"

typedef struct {
    size_t d_model, d_hidden;
    size_t depth; /* residual sublayers */
    Placement placement;
    bool without_norms; /* {0} for every norm, and no parameters for them */
    size_t n_out;       /* width of the linear head; 0: no head */
} StackConfig;

typedef struct {
    StackConfig config;
    Residual *residuals; /* [depth]; they point into mlps and norms */
    Mlp *mlps;           /* [depth] */
    LayerNorm *norms; /* [depth + 1], the last is the final one; NULL without norms */
    Layer final_norm; /* {0} for post-LN, whose stream has just been normalized */
    Linear head;
} Stack;

/* Registers h.L.ln, h.L.mlp.c_fc, h.L.mlp.c_proj for each L, ln_f for pre-LN, and head;
 * weights from `init`, those of the head from N(0, 1/d_model). Sublayers add branches
 * with join_add. */
Stack stack_create(Params *params, Random *init, StackConfig config);

/* x [..., d_model] -> [..., n_out], or [..., d_model] without a head. */
Tensor *stack(Tape *t, const Stack *s, Tensor *x);

/* The same, and stream[0] = x to stream[depth], the stream behind each residual, before
 * the final norm. */
Tensor *stack_with_stream(Tape *t, const Stack *s, Tensor *x, Tensor **stream);

/* The residuals, mlps and norms; the parameters belong to `params`. */
void stack_free(Stack *s);

/* "post-LN", "pre-LN" */
const char *placement_name(Placement placement);

#endif
