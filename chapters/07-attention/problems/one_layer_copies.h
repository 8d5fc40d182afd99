/* Open problem 07/one_layer_copies (**): a single layer that goes on with a text that
 * repeats itself */
#ifndef CHAPTER_07_ONE_LAYER_COPIES_H
#define CHAPTER_07_ONE_LAYER_COPIES_H

#include <stddef.h>

/* Words are vectors of length 1, eight of them, in random directions. A text is 96
 * words drawn at random, and the same 96 once more. */
enum { WORD_DIM = 16, HEAD_DIM = 64 };

/* queries, keys [length, HEAD_DIM] from words [length, WORD_DIM]; row t from words 0 to
 * t alone. A causal head takes them; its values are the words. In the second half its
 * output shall be nearest to the word that comes next. */
void queries_and_keys(float *queries, float *keys, const float *words, size_t length);

#endif
