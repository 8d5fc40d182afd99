/* An attack on 11/cosine: the header's formula at every step, with and without a
 * warm-up, to beyond the end. */
#include "11-training/cosine.h"

#include <math.h>

#include "check/check.h"

static void check_schedule(size_t warmup_steps, size_t total_steps) {
    const double peak = 0.3, lowest = 0.02, pi = 3.14159265358979323846;
    for (size_t step = 1; step < total_steps + 4; step++) {
        double falling = (double)(total_steps - warmup_steps), progress = 1;
        if (falling > 0)
            progress = fmin(1, ((double)step - (double)warmup_steps) / falling);
        double right = lowest + (peak - lowest) * (1 + cos(pi * progress)) / 2;
        if (step <= warmup_steps) right = peak * (double)step / (double)warmup_steps;
        CHECK_NUMBER(
            "rate",
            cosine_rate((float)peak, (float)lowest, step, warmup_steps, total_steps),
            right, 1e-6);
    }
}

Test(attack, schedules) {
    check_schedule(5, 20);
    check_schedule(0, 7);
    check_schedule(6, 6);
}
