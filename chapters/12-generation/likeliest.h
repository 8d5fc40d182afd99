/* Tokens from the likeliest down. */
#ifndef CHAPTER_12_LIKELIEST_H
#define CHAPTER_12_LIKELIEST_H

#include <stddef.h>

typedef struct {
    double probability;
    int token;
} TokenProbability;

/* Sorts tokens [n], none of a negative probability or NaN: the largest probability
 * first, equal ones in the order in which they are given. Time grows as n, where that
 * of a sort by comparisons grows as n log n. */
void likeliest_first(TokenProbability *tokens, size_t n);

#endif
