/* Open problem 15/fast_product (***): a product with at least 0.8 of the speed of our
 * ladder's best rung, and its bytes */
#ifndef CHAPTER_15_FAST_PRODUCT_H
#define CHAPTER_15_FAST_PRODUCT_H

#include <stddef.h>

/* C[m,n] += A[m,k] B[k,n], all row by row, in one thread. Every element of C is a sum
 * over k in increasing order, of fused multiply-adds (fmaf of <math.h>) that start from
 * what C holds; m, n and k may be anything.
 *
 * All of the work is yours: the ladder, common/kernels/matmul.h and the other exercises
 * are what you compete with (kernels/simd.h and kernels/matmul_pack.h are free). The
 * judge lets yours and the ladder's rungs take turns on two products, in one run, and
 * takes the quickest turn of each. One star from 0.4 of the best rung on, two from 0.8,
 * three from 1. */
void fast_product(float *c, const float *a, const float *b, size_t m, size_t n,
                  size_t k);

#endif
