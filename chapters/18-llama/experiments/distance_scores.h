/* Attention with linear biases (ALiBi: Press et al. 2021): a score loses slope *
 * distance, with a slope of its own in each head. */
#ifndef CHAPTER_18_DISTANCE_SCORES_H
#define CHAPTER_18_DISTANCE_SCORES_H

#include "10-gpt2/gpt2.h"

/* In the place of what rotates, for the config of a model without positions of its own;
 * n_kv_head as n_head.
 *
 * In a softmax over j, slope * (j - p) weighs as slope * j does: what is the same for
 * all j cancels. So the last feature of a query becomes slope * sqrt(head_dim), the
 * last one of a key its position j, and attention needs no change. A head has one
 * feature less to look with. Slopes are 2^(-8 (h + 1) / n_head), as in the paper. */
void distance_scores_set(BlockConfig *block);

#endif
