/* False sharing: two threads add up into two numbers that lie in one line of the cache,
 * or in two. No value is wrong. */
#include <math.h>
#include <stdio.h>

#include "15-speed/experiments/experiments.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/threads.h"

enum { THREADS = 2, LINE = 64 / sizeof(double), TURNS = 9, ADDITIONS = 2000000 };

/* `apart` doubles from one thread's sum to the next one's; volatile, so that each
 * addition goes to memory. */
//> sharing
static double add_up(size_t apart) {
    static _Alignas(64) volatile double sums[THREADS * LINE];
    for (size_t i = 0; i < THREADS * LINE; i++) sums[i] = 0;
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
    for (size_t t = 0; t < THREADS; t++) {
        for (size_t i = 0; i < ADDITIONS; i++) sums[t * apart] += 1;
    }
    return sums[0] + sums[apart];
}
//< sharing

static double seconds_of(size_t apart, bool *right) {
    double started = clock_seconds_of(THREADS);
    *right = *right && add_up(apart) == THREADS * ADDITIONS;
    return clock_seconds_of(THREADS) - started;
}

void experiment_sharing(const Settings *settings) {
    double together = INFINITY, apart = INFINITY;
    bool right = true;
    for (size_t t = 0; t < TURNS; t++) {
        together = smaller(together, seconds_of(1, &right));
        apart = smaller(apart, seconds_of(LINE, &right));
    }
    Csv csv = csv_begin(settings->out, "sharing", "together_ms,apart_ms,ratio");
    csv_row(&csv, "%.4g,%.4g,%.3g", 1e3 * together, 1e3 * apart, together / apart);
    csv_commit(&csv);
    threads_use(settings->threads);
    printf("two threads, %d additions each: %.1f ms in one line of the cache, %.1f ms "
           "in two: %.1f times\n",
           ADDITIONS, 1e3 * together, 1e3 * apart, together / apart);
    claim(right, "every sum is right in both ways");
}
