/* Exercise 02/warmup: a learning rate that grows linearly at first (Vaswani et al.
 * 2017, section 5.3). */
#ifndef CHAPTER_02_WARMUP_H
#define CHAPTER_02_WARMUP_H

#include <stddef.h>

/* The learning rate of step `step`, counted from 1: peak * step / warmup_steps up to
 * step = warmup_steps, then peak. With warmup_steps = 0 it is peak at once. */
//> signature
float warmup_rate(float peak, size_t step, size_t warmup_steps);
//< signature

#endif
