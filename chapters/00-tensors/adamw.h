/* Exercise 00/adamw: Adam with decoupled weight decay (Loshchilov & Hutter 2019,
 * algorithm 2). */
#ifndef CHAPTER_00_ADAMW_H
#define CHAPTER_00_ADAMW_H

#include <stddef.h>

typedef struct {
    float learning_rate, beta1, beta2, eps, weight_decay;
} AdamWSettings;

/* One step on n parameters. `step` counts from 1. With g the gradient:
 *
 *     param *= 1 - learning_rate * weight_decay       (decoupled: not through the
 * moments) m = beta1 m + (1 - beta1) g v = beta2 v + (1 - beta2) g^2 param -=
 * learning_rate * (m / (1 - beta1^step)) / (sqrt(v / (1 - beta2^step)) + eps)
 *
 * m and v start at zero. Take the powers in double with power_double, below. */
//> signature
void adamw_update(float *param, float *m, float *v, const float *grad, size_t n,
                  const AdamWSettings *settings, size_t step);
//< signature

/* base^exponent by repeated squaring: the same bits with every C library. */
static inline double power_double(double base, size_t exponent) {
    double power = 1;
    for (; exponent; exponent /= 2, base *= base) {
        if (exponent % 2) power *= base;
    }
    return power;
}

#endif
