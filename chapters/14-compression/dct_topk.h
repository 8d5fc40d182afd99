/* A block of 32 x 32 weights by the few largest coefficients of its discrete cosine
 * transform. Exercise 14/dct_topk. Several threads may call it at once. */
#ifndef CHAPTER_14_DCT_TOPK_H
#define CHAPTER_14_DCT_TOPK_H

#include <stddef.h>
#include <stdint.h>

enum { TILE = 32, TILE_SIZE = TILE * TILE };

/* The orthonormal DCT-II: d[u][i] = s_u cos(pi (2i + 1) u / (2 TILE)), s_0 = sqrt(1 /
 * TILE), else sqrt(2 / TILE). Its rows are orthonormal, D D^T = I: it can be undone by
 * its transpose, and dropping coefficients costs exactly their energy. Computed in
 * double. */
void dct_matrix(float d[TILE][TILE]);

/* T = D X D^T for x [TILE, TILE], and back, X = D^T T D; out may not be x. */
void dct_forward(float out[TILE_SIZE], const float x[TILE_SIZE]);
void dct_inverse(float out[TILE_SIZE], const float t[TILE_SIZE]);

/* The places of the k largest |t|, 0 to TILE_SIZE, in ascending order; of equal ones
 * the first counts as larger. */
void top_k_places(uint16_t places[], const float t[TILE_SIZE], size_t k);

#endif
