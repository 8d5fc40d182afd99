/* Open problem 00/small_state (***): an optimizer with two bytes of memory a weight,
 * where AdamW has eight */
#ifndef CHAPTER_00_SMALL_STATE_H
#define CHAPTER_00_SMALL_STATE_H

#include <stddef.h>

/* Bytes of state for a tensor of n numbers. */
#define SMALL_STATE_BYTES(n) (2 * (n) + 16)

/* One step on the n numbers of a tensor, counted from 1. `state` [SMALL_STATE_BYTES(n)]
 * is this tensor's, at an address divisible by 16, which differs from step to step;
 * zeros before its first step; nothing else is remembered. */
void small_state(float *param, const float *grad, size_t n, void *state, size_t step);

#endif
