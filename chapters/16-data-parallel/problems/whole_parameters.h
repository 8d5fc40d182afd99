/* Open problem 16/whole_parameters (*): no parameter cut in two, and shares that are
 * nearly even */
#ifndef CHAPTER_16_WHOLE_PARAMETERS_H
#define CHAPTER_16_WHOLE_PARAMETERS_H

#include <stddef.h>

/* Gives each of n parameters, of sizes[i] numbers, one owner: owner[i] < n_ranks. What
 * the rank with the most numbers has is measured in multiples of the least that is
 * possible for it at best: an even share, or the largest parameter where that is
 * more. */
void whole_parameters(size_t *owner, const size_t *sizes, size_t n, size_t n_ranks);

#endif
