/* Exercise 05/measure_scales: how far each branch must be scaled, measured on a batch
 * instead of computed from assumptions (in the manner of Mishkin & Matas 2016, who do
 * it for layers without a residual connection). */
#ifndef CHAPTER_05_MEASURE_SCALES_H
#define CHAPTER_05_MEASURE_SCALES_H

#include <stddef.h>

//> measure_scales
typedef struct {
    size_t count;
    /* out [n] = F_l(x), for l = 0 .. count - 1; x [n] is a whole batch */
    void (*run)(float *out, const float *x, size_t n, size_t l, const void *self);
    const void *self;
} Branches;

/* Starts a stream as the batch x [n] and sets scales [count], all positive, such that
 * x_{l+1} = x_l + scales[l] F_l(x_l) multiplies the stream's mean square by the same
 * factor in every branch, and by `growth` > 1 in all of them together. On this batch
 * that is exact for any branches: you may assume nothing about their size, and a branch
 * may be correlated with its stream. A branch that is 0 everywhere gets the scale 1,
 * and the others do not make up for it. Sums are taken in double. In the end x is the
 * stream after the last branch. */
void measure_scales(float *scales, float *x, size_t n, double growth,
                    const Branches *branches);
//< measure_scales

#endif
