/* Warm-up and cosine. Before you read on: make hint-11 EX=cosine */
#include "11-training/cosine.h"

#include "02-pre-ln-vs-post-ln/warmup.h"
#include "math/fmath.h"

float cosine_rate(float peak, float lowest, size_t step, size_t warmup_steps,
                  size_t total_steps) {
    if (step <= warmup_steps) return warmup_rate(peak, step, warmup_steps);
    if (step >= total_steps) return lowest;
    double progress =
        (double)(step - warmup_steps) / (double)(total_steps - warmup_steps);
    double share = 0.5 * (1.0 + cos_turn(progress / 2));
    return (float)((double)lowest + ((double)peak - (double)lowest) * share);
}
