/* Exercise 05/rezero: out = x + alpha * branch with one learned number (Bachlechner et al. 2020). */
#ifndef CHAPTER_05_REZERO_H
#define CHAPTER_05_REZERO_H

#include <stddef.h>

void rezero_forward(float *out, const float *x, const float *branch, float alpha, size_t n);

/* dx += dout, dbranch += alpha * dout, *dalpha += sum of dout * branch (summed in double). Each may be NULL.
 */
void rezero_backward(float *dx, float *dbranch, float *dalpha, const float *dout, const float *branch,
                     float alpha, size_t n);

#endif
