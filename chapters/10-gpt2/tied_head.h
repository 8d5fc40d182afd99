/* Exercise 10/tied_head: the output head that shares its weights
 * with the token embedding (Press & Wolf 2017). */
#ifndef CHAPTER_10_TIED_HEAD_H
#define CHAPTER_10_TIED_HEAD_H

#include <stddef.h>

/* logits [rows, n_vocab] = hidden [rows, dim] wte^T, with wte [n_vocab, dim]. */
void tied_head_forward(float *logits, const float *hidden, const float *wte,
                       size_t rows, size_t n_vocab, size_t dim);

/* dhidden += dlogits wte, dwte += dlogits^T hidden. dwte already holds what the
 * embedding will add to or has added: never overwrite it. Either may be NULL. */
void tied_head_backward(float *dhidden, float *dwte, const float *dlogits,
                        const float *hidden, const float *wte, size_t rows,
                        size_t n_vocab, size_t dim);

#endif
