/* Open problem 03/to_rmsnorm (**): RMSNorms in the place of LayerNorms, with the same
 * outputs */
#ifndef CHAPTER_03_TO_RMSNORM_H
#define CHAPTER_03_TO_RMSNORM_H

#include "02-pre-ln-vs-post-ln/stack.h"
#include "03-rmsnorm/norm.h"

enum { FOLDED_DEPTH = 6, FOLDED_TOKENS = 100 };

/* A pre-LN stack whose inputs are the rows of a table. */
typedef struct {
    Params params;
    Tensor *table;                /* [FOLDED_TOKENS, d_model] */
    Stack stack;                  /* of FOLDED_DEPTH layers; its own `norms` is NULL: */
    Norm norms[FOLDED_DEPTH + 1]; /* before each sublayer, and the final one */
} NormNetwork;

/* Changes the numbers of `to`, whose norms are RMSNorms, such that it computes the same
 * as the network of LayerNorms that it was copied from: with the same table, linear
 * layers and gains, and with the norms `from` [FOLDED_DEPTH + 1], which besides take
 * the mean away and add a bias. */
void to_rmsnorm(NormNetwork *to, const Norm *from);

#endif
