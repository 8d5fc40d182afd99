/* Exercise 10/tied_head: the output head that shares its weights with the token
 * embedding (Press & Wolf 2017). Several threads may call it at once. */
#ifndef CHAPTER_10_TIED_HEAD_H
#define CHAPTER_10_TIED_HEAD_H

#include <stddef.h>

/* logits [rows, n_vocab] of hidden [rows, dim]: how far each hidden state points the
 * way of each row of the token table wte [n_vocab, dim], as a dot product. */
void tied_head_forward(float *logits, const float *hidden, const float *wte,
                       size_t rows, size_t n_vocab, size_t dim);

/* The gradients of hidden and of wte, given dlogits [rows, n_vocab]. Both are added to
 * what dhidden and dwte hold: the table is read by the embedding as well. Either may be
 * NULL: then it is not wanted. */
void tied_head_backward(float *dhidden, float *dwte, const float *dlogits,
                        const float *hidden, const float *wte, size_t rows,
                        size_t n_vocab, size_t dim);

#endif
