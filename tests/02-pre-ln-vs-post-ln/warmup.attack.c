/* An attack on 02/warmup: the line, its end to the last bit, the level behind it, no
 * warm-up, more steps than an int holds. */
#include "02-pre-ln-vs-post-ln/warmup.h"

#include "check/check.h"

static void check_rate(float peak, size_t step, size_t warmup_steps, double share) {
    float rate = warmup_rate(peak, step, warmup_steps);
    CHECK_NUMBER("rate", rate, (double)peak * share, 1e-6);
    CHECK(share < 1 || rate == peak, "the rate is %.9g, not the peak, %.9g",
          (double)rate, (double)peak);
}

Test(attack, line_and_level) {
    for (size_t steps = 1; steps < 100; steps++) {
        for (size_t step = 1; step <= 2 * steps; step++)
            check_rate(0.3f, step, steps,
                       step < steps ? (double)step / (double)steps : 1);
    }
}

Test(attack, no_warmup) {
    check_rate(0.3f, 1, 0, 1);
}

Test(attack, many_steps) {
    if (sizeof(size_t) > 4) check_rate(0.3f, (size_t)3 << 30, (size_t)1 << 32, 0.75);
}
