/* Attention that never holds a row of weights: the same function as causal_attention.h,
 * with memory linear in the length. Forward it keeps a running maximum and a running
 * sum (Milakov & Gimelshein 2018, Rabe & Staats 2021); backward it computes each weight
 * again (Dao et al. 2022). */
#ifndef CHAPTER_07_ONLINE_ATTENTION_H
#define CHAPTER_07_ONLINE_ATTENTION_H

#include "07-attention/causal_attention.h"

/* q, k, v, out [n_heads, length, head_dim]. logsumexp [n_heads, length]: of each row
 * the logarithm of the sum of exp(score) over the positions that it sees, from which
 * the backward pass computes the weights again. */
void online_attention_forward(float *out, float *logsumexp, const float *q,
                              const float *k, const float *v,
                              const AttentionShape *shape);

/* The gradients of q, k and v, which are added to; each may be NULL. */
typedef struct {
    float *q, *k, *v;
} AttentionGradients;

/* out and logsumexp are those of the forward pass. */
void online_attention_backward(AttentionGradients d, const float *dout,
                               const float *out, const float *logsumexp, const float *q,
                               const float *k, const float *v,
                               const AttentionShape *shape);

#endif
