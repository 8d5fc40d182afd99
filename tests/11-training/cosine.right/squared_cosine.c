/* (1 + cos 2a) / 2 is the square of cos a. */
#include "11-training/cosine.h"

#include "02-pre-ln-vs-post-ln/warmup.h"
#include "math/fmath.h"

float cosine_rate(float peak, float lowest, size_t step, size_t warmup_steps,
                  size_t total_steps) {
    if (step <= warmup_steps) return warmup_rate(peak, step, warmup_steps);
    size_t done = step - warmup_steps, all = total_steps - warmup_steps;
    if (step >= total_steps) done = all = 1;
    double root = cos_turn((double)done / (double)all / 4);
    return done == all
               ? lowest
               : (float)((double)lowest + (double)(peak - lowest) * root * root);
}
