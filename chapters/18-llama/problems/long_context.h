/* Open problem 18/long_context (**): a rotary model that reads 3.25 times its trained
 * length, though nothing is trained */
#ifndef CHAPTER_18_LONG_CONTEXT_H
#define CHAPTER_18_LONG_CONTEXT_H

#include <stddef.h>

/* Changes how far each pair turns from one position to the next, for texts of `wanted`
 * tokens read by a model that was trained on texts of `trained`. frequencies [n_pairs]
 * are those of the training, the fastest first; what is written in their place must be
 * finite, and the same whenever it is asked for.
 *
 * The model is the experiments', trained on 64 tokens for LONG_STEPS steps. It reads
 * texts of 64 tokens, 72, 80 ..., each length with its own frequencies, until the mean
 * loss of whole texts is above LONG_LOSS. The last length before that shall be LONG or
 * more. */
enum { LONG_STEPS = 300, LONG = 208 };
#define LONG_LOSS 0.85
void long_context(float *frequencies, size_t n_pairs, size_t trained, size_t wanted);

#endif
