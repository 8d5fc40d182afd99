/* Open problem 12/speculate (**): a cheap model proposes, and the text is the expensive
 * one's all the same */
#ifndef CHAPTER_12_SPECULATE_H
#define CHAPTER_12_SPECULATE_H

#include <stddef.h>

/* A token of the distribution `target` [n], though `proposed` was drawn from another
 * one, `draft` [n]: over many proposals what comes back must be distributed as
 * `target`, and be the proposed token as often as possible. u and v are uniform in [0,
 * 1), independent of each other and of `proposed`. */
int speculate(const double *target, const double *draft, size_t n, int proposed,
              double u, double v);

#endif
