/* What happens without a causal mask: a language model that reads its answers. */
#ifndef CHAPTER_07_LEAK_MODEL_H
#define CHAPTER_07_LEAK_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LEAK_WORDS = 16, LEAK_EVERY = 10 }; /* size of the vocabulary; steps between two measurements */

/* Trains one layer of attention to predict the next word of sentences drawn at random, where nothing can be
 * predicted: no honest model gets below ln(LEAK_WORDS). Writes the loss on new sentences to loss[0],
 * loss[1] ...: before the first step and after every LEAK_EVERY. Returns how many it wrote:
 * steps / LEAK_EVERY + 1. */
size_t leak_train(double *loss, bool causal, size_t steps, uint64_t seed);

#endif
