/* One attention head without a mask: every position looks at all positions. The worked
 * example of the lesson; the exercise causal_attention is the same with heads, a mask
 * and dropout. */
#ifndef CHAPTER_07_SINGLE_HEAD_H
#define CHAPTER_07_SINGLE_HEAD_H

#include <stddef.h>

/* weights = softmax(q k^T / sqrt(dim)) along the rows, out = weights v (Vaswani et al.
 * 2017, equation 1). q, k, v, out [length, dim]; weights [length, length], row t: how
 * much position t takes from each other. */
void single_head_forward(float *out, float *weights, const float *q, const float *k,
                         const float *v, size_t length, size_t dim);

/* The gradients of q, k and v, which are added to; and room for [length, length] each,
 * which ends as the gradients of the weights and of the scores q k^T / sqrt(dim). */
typedef struct {
    float *q, *k, *v;
    float *weights, *scores;
} HeadGradients;

void single_head_backward(const HeadGradients *d, const float *dout,
                          const float *weights, const float *q, const float *k,
                          const float *v, size_t length, size_t dim);

#endif
