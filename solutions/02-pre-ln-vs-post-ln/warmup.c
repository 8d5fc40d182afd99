/* Linear warm-up. Before you read on: make hint-02 EX=warmup */
#include "02-pre-ln-vs-post-ln/warmup.h"

float warmup_rate(float peak, size_t step, size_t warmup_steps) {
    if (step >= warmup_steps) return peak;
    return (float)((double)peak * (double)step / (double)warmup_steps);
}
