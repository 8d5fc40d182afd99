/* Attention over a batch with padding. */
#ifndef CHAPTER_07_MASKED_ATTENTION_H
#define CHAPTER_07_MASKED_ATTENTION_H

#include "07-attention/attention.h"

/* attention_core of a batch whose mask [B, T] is 0 where padding is, which may be in
 * front of, behind and between the tokens of a row, or all of it. The tokens of each
 * row are taken out of qkv, attend as the text that they are alone, and are put back:
 * so queries, keys and values of padding are not read, its gradients and its outputs
 * are 0, and so are its rows and columns of the weights [B, n_head, T, T]. Dropout
 * draws other numbers than without a mask. */
Tensor *masked_attention(Tape *t, const AttentionConfig *config, Tensor *qkv,
                         const int *mask, Tensor **weights);

#endif
