/* Exercise 07/causal_attention: softmax(q k^T / sqrt(head_dim)) v, each position looking at itself and what
 * came before. */
#ifndef CHAPTER_07_CAUSAL_ATTENTION_H
#define CHAPTER_07_CAUSAL_ATTENTION_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>

/* What does not change between forward and backward. n_heads counts batch times heads:
 * they are independent. */
typedef struct {
    size_t n_heads, length, head_dim;
    bool causal;          /* position t sees 0 .. t; false: all */
    float dropout;        /* on the weights; 0: off */
    const Random *random; /* of dropout_forward's mask of the weights [n_heads, length, length]; or NULL */
} AttentionShape;

/* q, k, v, out [n_heads, length, head_dim]. weights [n_heads, length, length] is the softmax before dropout,
 * 0 where the mask hides; the backward pass needs it, and it is there to be looked at. scratch: length *
 * length floats a head. */
void attention_forward(float *out, float *weights, float *scratch, const float *q, const float *k,
                       const float *v, const AttentionShape *shape);

/* dq, dk, dv += the gradients; each may be NULL. scratch [n_heads, length, length]. */
void attention_backward(float *dq, float *dk, float *dv, float *scratch, const float *dout,
                        const float *weights, const float *q, const float *k, const float *v,
                        const AttentionShape *shape);

#endif
