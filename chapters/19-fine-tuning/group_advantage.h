/* Exercise 19/group_advantage: how much better an answer is than the others to its
 * question (Shao et al. 2024). Several threads may call it at once. */
#ifndef CHAPTER_19_GROUP_ADVANTAGE_H
#define CHAPTER_19_GROUP_ADVANTAGE_H

#include <stddef.h>

//> group_advantage
/* rewards [n_groups, size]: a row has the rewards of all answers to one question.
 * advantages [n_groups, size] = (reward - mean) / std, the mean and the standard
 * deviation of its own row, where the variance is divided by `size`. Where all rewards
 * of a row are equal, its advantages are exactly 0. size >= 1. The arrays do not
 * overlap. */
void group_advantage(float *advantages, const float *rewards, size_t n_groups,
                     size_t size);
//< group_advantage

#endif
