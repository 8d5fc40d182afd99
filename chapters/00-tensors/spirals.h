/* Two spirals: a problem in the plane that no straight line can solve, and that a small
 * network can. */
#ifndef CHAPTER_00_SPIRALS_H
#define CHAPTER_00_SPIRALS_H

#include "math/random.h"

/* Fills x [n, 2] with points of two spirals of one and a half turns around the origin,
 * one the other turned by half a turn, and classes [n] with 0 or 1. Even points are of
 * class 0. Each coordinate gets noise of deviation 0.03; the spirals reach out to
 * radius 1. */
void spirals_fill(float *x, int *classes, size_t n, Random *random);

#endif
