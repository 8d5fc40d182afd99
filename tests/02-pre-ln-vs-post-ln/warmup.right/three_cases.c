/* No warm-up, on the line, behind it. */
#include "02-pre-ln-vs-post-ln/warmup.h"

float warmup_rate(float peak, size_t step, size_t warmup_steps) {
    if (warmup_steps == 0) {
        return peak;
    } else if (step < warmup_steps) {
        double share = (double)step / (double)warmup_steps;
        return (float)(share * (double)peak);
    } else {
        return peak;
    }
}
