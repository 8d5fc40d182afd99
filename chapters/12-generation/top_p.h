/* Exercise 12/top_p: only the smallest set of tokens that holds probability p stays
 * ("nucleus sampling", Holtzman et al. 2020, section 3.1). */
#ifndef CHAPTER_12_TOP_P_H
#define CHAPTER_12_TOP_P_H

#include <stddef.h>

#include "12-generation/sort_by_probability.h"

/* probabilities [n] sum to 1. From the largest down, of equal ones the lower token
 * first, tokens are taken until their sum is at least p; at least one is taken. The
 * others become 0 and those taken are divided by their sum, so that they sum to 1
 * again. p >= 1 changes nothing. scratch [n] is for your use; sort_by_probability
 * sorts. */
void top_p(double *probabilities, TokenProbability *scratch, size_t n, double p);

#endif
