/* Peak and bandwidth: see machine.h. Compiled with the flags of
 * common/kernels/matmul.c. */
#include "15-speed/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "math/fit.h"
#include "kernels/matmul_tile.h"
#include "base/memory.h"
#include "kernels/threads.h"

enum { TRIES = 9 };
static volatile float sink;

/* Twelve sums at once, so that none waits for its own last addition. Multiplied by a
 * number that the compiler does not know, or it would do nothing. */
static float multiply_add_only(size_t turns, float x) {
    enum { SUMS = 12 };
    Floats sums[SUMS];
    UNROLL for (size_t s = 0; s < SUMS; s++) sums[s] = floats_all((float)s);
    for (size_t t = 0; t < turns; t++) {
        UNROLL for (size_t s = 0; s < SUMS; s++) sums[s] =
            multiply_add(x, sums[s], sums[s]);
    }
    for (size_t s = 1; s < SUMS; s++) sums[0] += sums[s];
    return sums[0][0];
}

double machine_peak(size_t threads) {
    enum { TURNS = 1 << 18, PEAK_TRIES = 40 };
    static volatile float little = 1e-10f;
    double best = INFINITY;
    threads_use(threads);
    for (size_t i = 0; i < PEAK_TRIES; i++) {
        float sum = 0, x = little;
        double started = clock_seconds_of(threads);
#pragma omp parallel reduction(+ : sum)
        sum += multiply_add_only(TURNS, x);
        best = smaller(best, clock_seconds_of(threads) - started);
        sink = sum;
    }
    return 2.0 * 12 * SIMD_WIDTH * TURNS * (double)threads / best;
}

/* Eight sums, of eight stretches at once: nothing but reading takes time, and memory
 * answers several questions at a time. */
static float read_all(const float *x, size_t n) {
    enum { SUMS = 8 };
    Floats sums[SUMS] = {{0}};
    size_t stretch = n / SUMS / SIMD_WIDTH * SIMD_WIDTH;
    for (size_t i = 0; i < stretch; i += SIMD_WIDTH) {
        UNROLL for (size_t s = 0; s < SUMS; s++) sums[s] +=
            floats_load(x + s * stretch + i);
    }
    for (size_t s = 1; s < SUMS; s++) sums[0] += sums[s];
    return sums[0][0];
}

static float change_all(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] += 1.0f;
    return x[0];
}

double machine_bandwidth(size_t bytes, size_t threads, bool change) {
    const double at_once =
        2e7; /* bytes, so that a small array is read often enough for the clock */
    size_t share = bytes / sizeof(float) / threads,
           repeats = (size_t)(at_once / (double)bytes) + 1;
    float *x = checked_aligned_alloc(share * threads, sizeof *x);
    double best = INFINITY;
    memset(x, 0,
           share * threads *
               sizeof *x); /* memory that nobody has written to is one page of zeros */
    threads_use(threads);
    for (size_t i = 0; i < TRIES; i++) {
        float sum = 0;
        double started = clock_seconds_of(threads);
#pragma omp parallel for reduction(+ : sum)
        for (size_t t = 0; t < threads; t++) {
            for (size_t r = 0; r < repeats; r++) {
                sum += change ? change_all(x + t * share, share)
                              : read_all(x + t * share, share);
                __asm__ volatile(
                    "" ::
                        : "memory"); /* the compiler shall not read once and multiply */
            }
        }
        double seconds = clock_seconds_of(threads) - started;
        if (i > 0)
            best = smaller(best, seconds); /* the first brings it into the cache */
        sink = sum;
    }
    free(x);
    return (change ? 2 : 1) * (double)(share * threads * sizeof(float)) *
           (double)repeats / best;
}
