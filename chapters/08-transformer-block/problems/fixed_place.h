/* Open problem 08/fixed_place (**): a stand-in for attention, where the place to look
 * at is known */
#ifndef CHAPTER_08_FIXED_PLACE_H
#define CHAPTER_08_FIXED_PLACE_H

#include "tensor/tape.h"

/* Takes the place of attention in each of four blocks: x [B, T, C] -> the same shape.
 * Position t may read positions 0 to t of its own row. It has nothing to learn. */
Tensor *fixed_place(Tape *t, Tensor *x);

#endif
