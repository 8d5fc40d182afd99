/* Exercise 18/gqa_step: attention of one new token over a cache whose keys several
 * heads share (grouped-query attention, GQA, Ainslie et al. 2023). */
#ifndef CHAPTER_18_GQA_STEP_H
#define CHAPTER_18_GQA_STEP_H

#include "07-attention/group_shape.h"

//> gqa_step
/* As attention_step of chapter 13, but query head h looks at the keys and values of
 * head h / group, where group = n_head / n_kv_head neighbouring query heads share one:
 *
 *     out_h = softmax(q_h k^T / sqrt(head_dim)) v
 *
 * over the first `length` tokens of the cache. out and q [n_head, head_dim], keys and
 * values [n_kv_head, capacity, head_dim], scratch [n_head, capacity]. n_head is a
 * multiple of n_kv_head, and may be the same. shape (07-attention/group_shape.h):
 * n_head, n_kv_head, head_dim, capacity, length. */
void gqa_step(float *out, float *scratch, const float *q, const float *keys,
              const float *values, const GroupShape *shape);
//< gqa_step

#endif
