/* Exercise 13/attention_step: attention of one new token over what the cache holds. */
#ifndef CHAPTER_13_ATTENTION_STEP_H
#define CHAPTER_13_ATTENTION_STEP_H

#include <stddef.h>

/* For each head: out = softmax(q k^T / sqrt(head_dim)) v over the first `length` tokens
 * of the cache, the new token's own among them (it has been appended). No mask:
 * everything in the cache lies in the past. out and q [n_head, head_dim], keys and
 * values [n_head, capacity, head_dim], scratch [n_head, capacity]. */
//> signature
void attention_step(float *out, float *scratch, const float *q, const float *keys,
                    const float *values, size_t n_head, size_t head_dim,
                    size_t capacity, size_t length);
//< signature

#endif
