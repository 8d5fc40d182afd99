/* Exercise 19/dpo_loss: learning from pairs of answers of which one was preferred
 * (Rafailov et al. 2023). Several threads may call it at once. */
#ifndef CHAPTER_19_DPO_LOSS_H
#define CHAPTER_19_DPO_LOSS_H

#include <stddef.h>

//> dpo_loss
/* What a model says of n pairs: ln p of each answer, the sum over its tokens. */
typedef struct {
    const float *chosen, *rejected; /* [n] */
} PairLogP;

/* Returns the mean over the pairs of -ln sigmoid(beta * margin), where the margin is
 * ln(policy / reference) of the chosen answer less that of the rejected one. Writes the
 * gradients with respect to policy->chosen and policy->rejected to dchosen and
 * drejected [n]; the reference is constant. n >= 1. No finite margin makes a result
 * infinite or NaN. No two arrays overlap, but policy and reference may be the same. */
float dpo_loss(float *dchosen, float *drejected, const PairLogP *policy,
               const PairLogP *reference, size_t n, float beta);
//< dpo_loss

#endif
