/* Exercise 12/repetition_penalty: tokens that are in the text already become less
 * likely (Keskar et al. 2019, section 4.1, with Hugging Face's rule for negative
 * scores). */
#ifndef CHAPTER_12_REPETITION_PENALTY_H
#define CHAPTER_12_REPETITION_PENALTY_H

#include <stddef.h>

/* For each token that occurs in context [n_context], once however often it occurs: a
 * positive score is divided by `penalty`, a negative one multiplied. The tokens are
 * indices of scores. penalty > 1 makes them less likely. */
void repetition_penalty(double *scores, const int *context, size_t n_context,
                        double penalty);

#endif
