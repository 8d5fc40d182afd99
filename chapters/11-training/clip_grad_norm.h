/* Exercise 11/clip_grad_norm: one scale for all gradients together (Pascanu et al.
 * 2013). Several threads may call it at once. */
#ifndef CHAPTER_11_CLIP_GRAD_NORM_H
#define CHAPTER_11_CLIP_GRAD_NORM_H

#include "weights/params.h"

/* Multiplies every gradient by min(1, max_norm / (total + 1e-6)), where total is the L2
 * norm of all gradients together (params_grad_norm; one sum in float would lose small
 * squares behind a large one). They lie in one block, params->grads [n_grads], which is
 * empty for a model that is not trained. Returns total, as it was before. To be called
 * between the backward pass and the optimizer's step. */
double clip_grad_norm(Params *params, double max_norm);

#endif
