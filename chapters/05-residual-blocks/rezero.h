/* Exercise 05/rezero: out = x + alpha * branch with one learned number (Bachlechner et
 * al. 2020). Several threads may call it at once. */
#ifndef CHAPTER_05_REZERO_H
#define CHAPTER_05_REZERO_H

#include <stddef.h>

//> rezero
/* out = x + alpha * branch, n numbers each. */
void rezero_forward(float *out, const float *x, const float *branch, float alpha,
                    size_t n);

/* Adds the gradients of a loss to dx [n], dbranch [n] and dalpha [1], from dout [n],
 * its gradient in out. Any of the three may be NULL if it is not needed. The sum
 * for dalpha is taken in double. */
void rezero_backward(float *dx, float *dbranch, float *dalpha, const float *dout,
                     const float *branch, float alpha, size_t n);
//< rezero

#endif
