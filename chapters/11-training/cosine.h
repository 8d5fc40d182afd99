/* Exercise 11/cosine: warm-up, then half a cosine down (Loshchilov & Hutter 2017;
 * Radford et al. 2018). Several threads may call it at once. */
#ifndef CHAPTER_11_COSINE_H
#define CHAPTER_11_COSINE_H

#include <stddef.h>

/* The learning rate of step `step`, counted from 1. Up to warmup_steps it is
 * warmup_rate (chapter 02). Then, with progress = (step - warmup_steps) / (total_steps
 * - warmup_steps) from 0 to 1,
 *
 *     lowest + (peak - lowest) * (1 + cos(pi * progress)) / 2
 *
 * and `lowest` from total_steps on. The warm-up comes first: where total_steps is no
 * later than warmup_steps, the rate is warmup_rate up to warmup_steps all the same, and
 * `lowest` after it. Take cos_turn(progress / 2) of fmath.h for cos(pi * progress). */
float cosine_rate(float peak, float lowest, size_t step, size_t warmup_steps,
                  size_t total_steps);

#endif
