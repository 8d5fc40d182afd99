/* Open problem 07/fixed_memory (***): attention over 512 words from 512 numbers */
#ifndef CHAPTER_07_FIXED_MEMORY_H
#define CHAPTER_07_FIXED_MEMORY_H

#include <stddef.h>

/* Keys and values of 512 words are 8192 numbers. They come one by one, and are gone.
 * Keys, queries and values are normal numbers, keys of deviation 1/2, so the scores q k
 * / sqrt(HEAD) have one of about 1/2. */
enum { HEAD = 8, MEMORY = 512 };

/* A word is read. `memory` holds zeros before the first one; it is all that you may
 * keep. */
void memory_add(float memory[MEMORY], const float key[HEAD], const float value[HEAD]);

/* out = softmax(q k^T / sqrt(HEAD)) v over all words read, or near it. */
void memory_read(float out[HEAD], const float memory[MEMORY], const float query[HEAD]);

#endif
