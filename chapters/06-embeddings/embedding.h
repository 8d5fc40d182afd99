/* Embeddings: a table of vectors, looked up by id. The kernels are exercise
 * 06/token_embedding. */
#ifndef CHAPTER_06_EMBEDDING_H
#define CHAPTER_06_EMBEDDING_H

#include "tensor/tape.h"

/* No row of the table is padding. */
enum { NO_PADDING = -1 };

/* out [n, dim]: row tokens[i] of table [n_rows, dim]. */
void embedding_forward(float *out, const float *table, const int *tokens, size_t n,
                       size_t dim);

/* dtable[tokens[i]] += dout[i]. A token that occurs twice gets both; rows that do not
 * occur are not touched; the row `padding` gets nothing (NO_PADDING: there is none). */
void embedding_backward(float *dtable, const float *dout, const int *tokens, size_t n,
                        size_t dim, int padding);

/* tokens of `shape` (ndim axes, at most 3) -> [shape..., dim]. The tokens must live as
 * long as the tape's step. A token outside 0 .. n_rows - 1 ends the program with its
 * place. The same layer serves positions. */
Tensor *embedding(Tape *t, Tensor *table, const int *tokens, int ndim,
                  const size_t *shape, int padding);

#endif
