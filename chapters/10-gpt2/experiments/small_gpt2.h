/* A GPT-2 of two blocks that reads bytes: what this chapter's experiments train and
 * measure. */
#ifndef CHAPTER_10_SMALL_GPT2_H
#define CHAPTER_10_SMALL_GPT2_H

#include <stdint.h>

#include "10-gpt2/gpt2.h"

enum { SMALL_CONTEXT = 64, SMALL_VOCAB = 256, SMALL_WIDTH = 64 };

typedef struct {
    int *tokens; /* owned by the caller */
    size_t n;
} Bytes;

/* At least so many bytes of the built-in stories of this seed. */
Bytes small_gpt2_text(uint64_t seed, size_t least);

/* Two blocks after `steps` steps of chapter 00's AdamW on windows of the text at random
 * places, by a rate that falls to 0. The caller frees the model. */
Gpt2 *small_gpt2_train(const Bytes *text, size_t steps, uint64_t seed);

#endif
