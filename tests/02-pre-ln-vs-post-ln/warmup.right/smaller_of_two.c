/* The smaller of the line and 1; 0 / 0 is no number, and the smaller of it and 1 is
 * 1. */
#include "02-pre-ln-vs-post-ln/warmup.h"

#include <math.h>

float warmup_rate(float peak, size_t step, size_t warmup_steps) {
    return (float)((double)peak * fmin(1.0, (double)step / (double)warmup_steps));
}
