/* Q4_0: 32 weights share a scale, each is a whole number of 4 bits. The encoder is
 * given (round.c); the product is exercise 14/q4_0.
 * Several threads may call it at once. */
#ifndef CHAPTER_14_Q4_0_H
#define CHAPTER_14_Q4_0_H

#include <stddef.h>

#include "weights/weight_blocks.h"

/* ggml's rule: d = m / -8, where m is the x with the largest |x|; q = min(15, (int)(x *
 * (1 / d) + 8.5)). The scale is d as a float16. So m itself becomes 0, the end of the
 * range that has no counterpart, and is hit exactly. */
void q4_0_encode(BlockQ4_0 *block, const float x[BLOCK]);

/* out [rows] = W x for W [rows, cols] in blocks, row by row, cols a multiple of BLOCK.
 * The floats of the weights are never written to memory. Every sum is in the order of
 * the columns, from 0, by fmaf: the same bits as the product with the decoded weights.
 * Weight i of a block is scale * (q - 8), its q in the lower half of byte i or the
 * upper half of byte i - 16. */
//> signature
void q4_0_matvec(float *out, const float *x, const BlockQ4_0 *blocks, size_t rows,
                 size_t cols);
//< signature

#endif
