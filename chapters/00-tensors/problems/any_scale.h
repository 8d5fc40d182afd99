/* Open problem 00/any_scale (**): one optimizer for points twenty times smaller and
 * twenty times larger */
#ifndef CHAPTER_00_ANY_SCALE_H
#define CHAPTER_00_ANY_SCALE_H

#include <stddef.h>

/* One step on the n numbers of a tensor, counted from 1. `state` [4 n] is this
 * tensor's, zeros before its first step; nothing else is remembered from step to
 * step. */
void any_scale(float *param, const float *grad, size_t n, float *state, size_t step);

#endif
