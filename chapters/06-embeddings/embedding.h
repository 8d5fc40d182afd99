/* Exercise 06/token_embedding: a table of vectors, looked up by id. Several threads may
 * call it at once. */
#ifndef CHAPTER_06_EMBEDDING_H
#define CHAPTER_06_EMBEDDING_H

#include <stddef.h>

/* No row of the table is padding. */
enum { NO_PADDING = -1 };

//> kernels
/* out [n, dim]: row i is row tokens[i] of `table`, [rows, dim]. */
void embedding_forward(float *out, const float *table, const int *tokens, size_t n,
                       size_t dim);

/* Adds to dtable [rows, dim] the gradient of that lookup, from dout [n, dim], the
 * gradient of its output. The row `padding` gets nothing (NO_PADDING: there is none),
 * and rows that no token asks for are not touched. */
void embedding_backward(float *dtable, const float *dout, const int *tokens, size_t n,
                        size_t dim, int padding);
//< kernels

#endif
