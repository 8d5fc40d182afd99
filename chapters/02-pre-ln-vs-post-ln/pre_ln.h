/* Exercise 02/pre_ln: the norm inside the branch. */
#ifndef CHAPTER_02_PRE_LN_H
#define CHAPTER_02_PRE_LN_H

#include "02-pre-ln-vs-post-ln/residual.h"

/* out = join(x, sublayer(norm(x))): the stream itself passes no norm. Use layer_forward
 * and join_forward. */
//> signature
Tensor *residual_pre_ln(Tape *t, const Residual *r, Tensor *x);
//< signature

#endif
