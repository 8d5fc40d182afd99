/* Open problem 02/deep_post_ln (*): 24 post-LN layers that learn at a rate of 0.002
 * from the first step */
#ifndef CHAPTER_02_DEEP_POST_LN_H
#define CHAPTER_02_DEEP_POST_LN_H

#include "02-pre-ln-vs-post-ln/stack.h"
#include "weights/params.h"

/* Changes a new post-LN stack before its first step: its weights, its joins
 * (s->residuals[l].join), and up to 1 % more parameters, which it registers in
 * `params`. Placement, norms, sublayers, head, rate and steps stay as they are, and
 * every layer must be trained. Memory that a join points to must outlive the
 * training. */
void deep_post_ln(Params *params, Stack *s);

#endif
