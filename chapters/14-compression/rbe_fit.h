/* Eight smooth functions for a tile: the part of RBE that is not a DCT. Exercise
 * 14/rbe_fit. Several threads may call it at once.
 *
 * RBE ("Riemannian basis encoding"; nothing in it is Riemannian) codes a tile of side x
 * side weights by 8 functions of the place in the tile, fitted by least squares, and
 * the largest coefficients of the DCT of what they leave. With y = 2 row / (side - 1) -
 * 1, x = 2 column / (side - 1) - 1 and d = sqrt(x^2 + y^2) the functions are 1, d, d^2,
 * cos(pi x), cos(pi y), cos(2 pi x), cos(2 pi y), cos(pi x) cos(pi y). */
#ifndef CHAPTER_14_RBE_FIT_H
#define CHAPTER_14_RBE_FIT_H

#include "14-compression/dct_topk.h"

enum { RBE_FUNCTIONS = 8 };

/* phi [RBE_FUNCTIONS, side * side], function by function. Given: rbe_basis.c. */
void rbe_basis(double *phi, size_t side);

/* alpha that makes the sum of (x - sum_k alpha_k phi_k)^2 least, for x [n] and phi
 * [RBE_FUNCTIONS, n]: the solution of (Phi Phi^T) alpha = Phi x, in double. n is at
 * most MOST_PLACES. */
void rbe_fit(float alpha[RBE_FUNCTIONS], const float *x, const double *phi, size_t n);

/* out = rest + sum_k alpha_k phi_k, [n]: what fit and DCT give together. out may be
 * rest. */
void rbe_add(float *out, const float *rest, const float alpha[RBE_FUNCTIONS],
             const double *phi, size_t n);

#endif
