/* A norm behind each sublayer of a stack, at the exit of the branch. */
#ifndef CHAPTER_02_EXIT_NORM_H
#define CHAPTER_02_EXIT_NORM_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* A sublayer with a norm behind it: norm(sublayer(x)), as a Layer. */
typedef struct {
    Layer sublayer;
    LayerNorm norm;
} NormedSublayer;

/* Puts a norm with parameters of its own behind every sublayer of a new stack. The
 * stack points into `normed` [depth] from then on. */
void add_exit_norms(NormedSublayer *normed, Params *params, Stack *s);

#endif
