/* A tile of side x side weights by the few largest coefficients of its discrete cosine
 * transform. Exercise 14/dct_topk. Several threads may call it at once. */
#ifndef CHAPTER_14_DCT_TOPK_H
#define CHAPTER_14_DCT_TOPK_H

#include <stddef.h>
#include <stdint.h>

/* No side is larger, and so no tile has more places. */
enum { MOST_SIDE = 64, MOST_PLACES = MOST_SIDE * MOST_SIDE };

/* The orthonormal DCT-II, d [side, side]: d[u][i] = s_u cos(pi (2i + 1) u / (2 side)),
 * s_0 = sqrt(1 / side), else sqrt(2 / side). Its rows are orthonormal, D D^T = I: it
 * can be undone by its transpose, and dropping coefficients costs exactly their energy.
 * Computed in double. */
void dct_matrix(float *d, size_t side);

/* T = D X D^T for x [side, side] and that D, and back, X = D^T T D; out may not be
 * x. */
void dct_forward(float *out, const float *x, const float *d, size_t side);
void dct_inverse(float *out, const float *t, const float *d, size_t side);

/* The places, 0 to n - 1, of the k largest |t| of n, in ascending order; of equal ones
 * the first counts as larger. n is at most MOST_PLACES. */
void top_k_places(uint16_t *places, const float *t, size_t n, size_t k);

#endif
