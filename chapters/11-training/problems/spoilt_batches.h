/* Open problem 11/spoilt_batches (**): micro-batches with wrong answers in every
 * step */
#ifndef CHAPTER_11_SPOILT_BATCHES_H
#define CHAPTER_11_SPOILT_BATCHES_H

#include <stddef.h>

/* A linear model of SIZE weights is trained on 20 micro-batches a step, of 8 samples
 * each. In four of them, others each time, all answers are those of another model,
 * always the same one. The size of a gradient does not tell: it is large in all of them
 * at first. */
enum { SIZE = 32, MICRO_BATCHES = 20 };

/* out [SIZE] = the gradient of the step, from the mean gradients of the
 * micro-batches. */
void combine_gradients(float out[SIZE], const float gradients[MICRO_BATCHES][SIZE]);

#endif
