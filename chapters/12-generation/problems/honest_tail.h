/* Open problem 12/honest_tail (**): a filter that drops what the model makes up, and
 * nothing else */
#ifndef CHAPTER_12_HONEST_TAIL_H
#define CHAPTER_12_HONEST_TAIL_H

#include <stddef.h>

/* keep[i] = 1 for the tokens that may be drawn, 0 for the others; probabilities [n] are
 * the model's, of sum 1. */
void honest_tail(unsigned char *keep, const double *probabilities, size_t n);

#endif
