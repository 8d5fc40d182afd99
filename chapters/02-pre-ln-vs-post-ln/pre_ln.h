/* Exercise 02/pre_ln: the residual connection in GPT-2's order. Several threads may
 * call it at once. */
#ifndef CHAPTER_02_PRE_LN_H
#define CHAPTER_02_PRE_LN_H

#include "02-pre-ln-vs-post-ln/residual.h"

/* x [..., C] -> [..., C]: norm, sublayer and join of residual_post_ln in another order.
 * The stream passes no norm: where the sublayer returns zeros and the join adds, out is
 * x. Where the norm halves and the sublayer squares, x = 3 gives 5.25.
 *
 * Norm, sublayer and join run once each; any norm (also {0}, which does nothing), any
 * sublayer and any join of *r must do. layer_forward and join_forward call them. */
//> signature
Tensor *residual_pre_ln(Tape *t, const Residual *r, Tensor *x);
//< signature

#endif
