/* The few decompositions that the codecs need. Matrices are square [n, n] unless they
 * say otherwise. */
#ifndef CHAPTER_14_LINEAR_ALGEBRA_H
#define CHAPTER_14_LINEAR_ALGEBRA_H

#include <stdbool.h>
#include <stddef.h>

/* a = L L^T in place, zeros above the diagonal; false if a is not positive definite. */
bool cholesky(double *a, size_t n);

/* L^-1 of a lower triangular L, in place. */
void invert_lower(double *l, size_t n);

/* Rows of a [r, n] made orthonormal, one after the other; rows that depend on those
 * before become zeros. */
void orthonormalize(float *a, size_t r, size_t n);

#endif
