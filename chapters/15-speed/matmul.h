/* Exercise 15/matmul: a matrix product in blocks. */
#ifndef CHAPTER_15_MATMUL_H
#define CHAPTER_15_MATMUL_H

#include <stddef.h>

#include "kernels/view.h"

/* C [m, n] += A [m, k] B [k, n]. C lies row by row; A and B are views, and either may
 * be transposed.
 *
 * Every element of C is a sum over k in increasing order, of fused multiply-adds (fmaf
 * of <math.h>) that start from what C holds: the bytes of common/kernels/matmul.c. m, n
 * and k may be anything, also 0.
 *
 * The tests ask for these bytes, and count what you pack (pack.h): a number of A or B
 * a few times at most. For speed see make run-15 MINE=15/matmul, which shows yours
 * beside the ladder, and the open problem 15/fast_product. */
//> blocked_matmul
void blocked_matmul(float *c, View a, View b, size_t m, size_t n, size_t k);
//< blocked_matmul

#endif
