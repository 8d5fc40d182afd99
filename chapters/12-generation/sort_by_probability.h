/* Tokens sorted by probability. */
#ifndef CHAPTER_12_SORT_BY_PROBABILITY_H
#define CHAPTER_12_SORT_BY_PROBABILITY_H

#include <stddef.h>

typedef struct {
    double probability;
    int token;
} TokenProbability;

/* Sorts tokens [n], none of a negative probability or NaN: the largest probability
 * first, equal ones in the order in which they are given. Time grows as n, where that
 * of a sort by comparisons grows as n log n. */
void sort_by_probability(TokenProbability *tokens, size_t n);

#endif
