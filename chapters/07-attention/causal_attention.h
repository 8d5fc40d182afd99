/* Exercise 07/causal_attention: softmax(q k^T / sqrt(head_dim)) v, each position
 * looking at itself and the positions before. In six stages, each with its tests (make
 * check-07 EX=causal_attention). Several threads may call it at once. */
#ifndef CHAPTER_07_CAUSAL_ATTENTION_H
#define CHAPTER_07_CAUSAL_ATTENTION_H

#include "math/random.h"

#include <stdbool.h>
#include <stddef.h>

//> stages
/* The shape and settings of a pass, the same forward and backward. n_heads counts batch
 * times heads: they are independent. */
typedef struct {
    size_t n_heads, length, head_dim;
    bool causal;          /* position t sees 0 .. t; false: all */
    float dropout;        /* on the weights; 0: off */
    const Random *random; /* of dropout_forward's mask of the weights [n_heads, length,
                             length]; or NULL */
} AttentionShape;

/* Stage 1, one head: scores [length, length] = q k^T with q, k [length, head_dim], not
 * yet divided. Above the diagonal of a causal head anything may stand. */
void attention_scores(float *scores, const float *q, const float *k,
                      const AttentionShape *shape);

/* Stage 2, the mask: how many positions row t sees. They are the first ones. */
size_t attention_visible(const AttentionShape *shape, size_t t);

/* Stage 3, one head: turns scores into weights [length, length] in place: the softmax
 * of score / sqrt(head_dim) over the positions that each row sees, and 0 after them. */
void attention_softmax(float *weights, const AttentionShape *shape);

/* Stage 4: all heads, with stages 1 to 3. q, k, v, out [n_heads, length, head_dim].
 * weights [n_heads, length, length] is the softmax before dropout, 0 where the mask
 * hides; the backward pass needs it, and it is there to be looked at. scratch: length *
 * length floats a head, which only stage 6 needs. */
void attention_forward(float *out, float *weights, float *scratch, const float *q,
                       const float *k, const float *v, const AttentionShape *shape);
//< stages

/* Stage 5: dq, dk, dv += the gradients; each may be NULL. scratch [n_heads, length,
 * length]. */
void attention_backward(float *dq, float *dk, float *dv, float *scratch,
                        const float *dout, const float *weights, const float *q,
                        const float *k, const float *v, const AttentionShape *shape);

/* Stage 6: both of them with shape->dropout: out = D v, where D is dropout_forward of
 * the whole array of weights: with n = length * length, head h takes its numbers from
 * random->next + h * n on. */

#endif
