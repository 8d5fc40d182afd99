/* Exercise 00/adamw: Adam with decoupled weight decay (Loshchilov & Hutter 2019).
 * Several threads may call it at once. */
#ifndef CHAPTER_00_ADAMW_H
#define CHAPTER_00_ADAMW_H

#include <stddef.h>

typedef struct {
    float learning_rate, beta1, beta2, eps, weight_decay;
} AdamWSettings;

/* One step of the optimizer on n parameters; `step` counts from 1. With g the gradient
 * of a parameter:
 *
 * - m and v are moving averages of g and of g^2, each new value a share of beta1
 *   (beta2) of the old one and the rest of g (g^2). Before the first step both are 0.
 *   They are updated here and kept by the caller, without any correction.
 * - The bias correction: m' and v' are m and v divided by a factor of beta and `step`
 *   alone, such that m' = g and v' = g^2 at every step if g never changes.
 * - The parameter loses the share learning_rate * weight_decay of itself, which does
 *   not pass through m and v, and moves by -learning_rate * m' / (sqrt(v') + eps).
 *
 * Take powers of beta in double with power_double, below. */
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
