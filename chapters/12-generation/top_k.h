/* Exercise 12/top_k: only the k likeliest tokens stay (Fan et al. 2018). */
#ifndef CHAPTER_12_TOP_K_H
#define CHAPTER_12_TOP_K_H

#include <stddef.h>

/* Sets every score below the k-th largest to -infinity. Scores equal to the k-th
 * largest all stay, so that more than k may be left; k = 0 and k >= n leave everything.
 * scratch [n] is for your use. */
void top_k(double *scores, double *scratch, size_t n, size_t k);

#endif
