/* Q8_0: 32 weights share a scale, each is a whole number of 8 bits. Exercise 14/q8_0.
 * Several threads may call it at once.
 *
 * The block's layout is in common/weights/weight_blocks.h, float_to_half and
 * half_to_float in common/math/half.h. */
#ifndef CHAPTER_14_Q8_0_H
#define CHAPTER_14_Q8_0_H

#include "weights/weight_blocks.h"

/* ggml's rule, to the byte: with d = (largest |x|) / 127 as a float, q = round(x * (1 /
 * d)), halves away from zero, and the scale is d as a float16. Zeros give a block of
 * zeros. */
//> signatures
void q8_0_encode(BlockQ8_0 *block, const float x[BLOCK]);
//< signatures

/* x = scale * q. */
//> signatures
void q8_0_decode(float x[BLOCK], const BlockQ8_0 *block);
//< signatures

#endif
