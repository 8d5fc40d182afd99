/* Exercise 02/warmup: a learning rate that grows linearly at first (Vaswani et al.
 * 2017, section 5.3). Several threads may call it at once. */
#ifndef CHAPTER_02_WARMUP_H
#define CHAPTER_02_WARMUP_H

#include <stddef.h>

/* The learning rate of step `step`, counted from 1. It grows by the same amount from
 * step to step, from 0 before the first one to exactly `peak` at step `warmup_steps`,
 * and stays there. warmup_steps = 0: peak from the first step on. Steps may be more
 * than an int holds. */
//> signature
float warmup_rate(float peak, size_t step, size_t warmup_steps);
//< signature

#endif
