/* A share of the peak and the rest of the lowest; the C library's cosine. */
#include "11-training/cosine.h"

#include <math.h>

float cosine_rate(float peak, float lowest, size_t step, size_t warmup_steps,
                  size_t total_steps) {
    if (step < warmup_steps)
        return (float)((double)peak * (double)step / (double)warmup_steps);
    if (step >= total_steps && step > warmup_steps) return lowest;
    if (step == warmup_steps) return peak;
    double progress =
        (double)(step - warmup_steps) / (double)(total_steps - warmup_steps);
    double share = (1 + cos(3.14159265358979323846 * progress)) / 2;
    return (float)(share * (double)peak + (1 - share) * (double)lowest);
}
