/* The embedding on the tape, around the kernels of exercise 06/token_embedding. */
#ifndef CHAPTER_06_EMBEDDING_LAYER_H
#define CHAPTER_06_EMBEDDING_LAYER_H

#include "06-embeddings/embedding.h"
#include "tensor/tape.h"

/* tokens of `shape` (ndim axes, at most 3) -> [shape..., dim]. The tokens must live as
 * long as the tape's step. A token outside 0 .. n_rows - 1 ends the program with its
 * place. The same layer serves positions. */
Tensor *embedding(Tape *t, Tensor *table, const int *tokens, int ndim,
                  const size_t *shape, int padding);

#endif
