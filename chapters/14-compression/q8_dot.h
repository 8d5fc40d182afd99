/* Integer dot products: a row of quantized weights times a quantized vector, which
 * become floats only once a block. Exercise 14/q8_dot.
 * Several threads may call it at once.
 *
 * The vector x is coded as the weights are: each 32 of its numbers are a block of
 * Q8_0, made by q8_0_encode (q8_0.h). The same rule as in llama.cpp,
 * ggml_vec_dot_q4_0_q8_0 and ggml_vec_dot_q8_0_q8_0. */
#ifndef CHAPTER_14_Q8_DOT_H
#define CHAPTER_14_Q8_DOT_H

#include <stddef.h>

#include "weights/weight_blocks.h"

/* w . x over n_blocks blocks each; 0 without a block. For block b,
 *
 *     whole_b = sum over i of w_b[i] * x_b[i],   whole numbers, and exact,
 *
 * and the result is the sum of whole_b * (scale of w_b * scale of x_b), taken from
 * block 0 to the last, beginning with 0, each added with one rounding (fmaf). The
 * product of two scales is exact in a float, so no other rounding happens and every
 * right code has the same bits. A number of w is q in Q8_0, -128 included, and q - 8 in
 * Q4_0 (weights/weight_blocks.h). */
//> signatures
float q8_dot_q8_0(const BlockQ8_0 *w, const BlockQ8_0 *x, size_t n_blocks);
float q8_dot_q4_0(const BlockQ4_0 *w, const BlockQ8_0 *x, size_t n_blocks);
//< signatures

#endif
