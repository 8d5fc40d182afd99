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

#ifdef __clang__
#define UNROLL_ALL UNROLL
#else
#define UNROLL_ALL _Pragma("GCC unroll 32")
#endif

enum { TRIES = 30, MOST_STRETCHES = 8 };
static volatile float sink;

/* Multiplied by a number that the compiler does not know, or it would do nothing.
 * `sums` is a constant wherever this is called. */
static inline __attribute__((always_inline)) float add_to_sums(size_t sums,
                                                               size_t turns, float x) {
    Floats sum[MOST_SUMS];
    UNROLL_ALL for (size_t s = 0; s < sums; s++) sum[s] = floats_all((float)s);
    UNROLL
    for (size_t t = 0; t < turns; t++) {
        UNROLL_ALL for (size_t s = 0; s < sums; s++) sum[s] =
            multiply_add(x, sum[s], sum[s]);
    }
    for (size_t s = 1; s < sums; s++) sum[0] += sum[s];
    return sum[0][0];
}

/* One function for each number of sums, so that the compiler sees a constant. */
// clang-format off
#define FOR_SUMS(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) \
    X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20)
// clang-format on
#define SUMS_FUNCTION(n)                                                               \
    static __attribute__((noinline)) float sums_##n(size_t turns, float x) {           \
        return add_to_sums(n, turns, x);                                               \
    }
#define SUMS_NAME(n) sums_##n,
FOR_SUMS(SUMS_FUNCTION)
static float (*const with_sums[MOST_SUMS])(size_t, float) = {FOR_SUMS(SUMS_NAME)};

static double best_rate(size_t threads, size_t sums) {
    enum { TURNS = 1 << 18, PEAK_TRIES = 40 };
    static volatile float little = 1e-10f;
    double best = INFINITY;
    threads_use(threads);
    for (size_t i = 0; i < PEAK_TRIES; i++) {
        float sum = 0, x = little;
        double started = clock_seconds_of(threads);
#pragma omp parallel reduction(+ : sum)
        sum += with_sums[sums - 1](TURNS, x);
        best = smaller(best, clock_seconds_of(threads) - started);
        sink = sum;
    }
    return 2.0 * (double)sums * SIMD_WIDTH * TURNS * (double)threads / best;
}

double machine_peak(size_t threads) {
    return best_rate(threads, 12);
}

double machine_rate_of_sums(size_t sums) {
    return best_rate(1, sums);
}

double machine_clock(void) {
    enum { ADDITIONS = 1 << 20, CLOCK_TRIES = 40 };
    double best = INFINITY;
    for (size_t i = 0; i < CLOCK_TRIES; i++) {
        size_t sum = i, step = i + 1;
        double started = clock_seconds_of(1);
        UNROLL
        for (size_t a = 0; a < ADDITIONS; a++) {
            sum += step;
            __asm__ volatile("" : "+r"(sum)); /* or it would be a multiplication */
        }
        best = smaller(best, clock_seconds_of(1) - started);
    }
    return ADDITIONS / best;
}

/* As many sums as stretches: nothing but reading takes time, and memory answers several
 * questions at a time. */
static inline __attribute__((always_inline)) float
read_stretches(const float *x, size_t n, const size_t stretches) {
    Floats sums[MOST_STRETCHES] = {{0}};
    size_t stretch = n / stretches / SIMD_WIDTH * SIMD_WIDTH;
    for (size_t i = 0; i < stretch; i += SIMD_WIDTH) {
        UNROLL
        for (size_t s = 0; s < stretches; s++)
            sums[s] += floats_load(x + s * stretch + i);
    }
    for (size_t s = 1; s < stretches; s++) sums[0] += sums[s];
    return sums[0][0];
}

/* Some processors are quicker with few stretches, others with many. */
static float read_all(const float *x, size_t n, bool many) {
    return many ? read_stretches(x, n, MOST_STRETCHES) : read_stretches(x, n, 2);
}

/* Four stretches at once: the kernels that change most, AdamW's, go over four
 * arrays. */
static float change_all(float *x, size_t n) {
    enum { STRETCHES = 4 };
    size_t stretch = n / STRETCHES / SIMD_WIDTH * SIMD_WIDTH;
    for (size_t i = 0; i < stretch; i += SIMD_WIDTH) {
        UNROLL
        for (size_t s = 0; s < STRETCHES; s++) {
            float *at = x + s * stretch + i;
            floats_store(at, floats_load(at) + floats_all(1));
        }
    }
    return x[0];
}

double machine_bandwidth(size_t bytes, size_t threads, bool change) {
    /* a small array is read often enough for the clock */
    const double at_once = 2e7;
    size_t share = bytes / sizeof(float) / threads,
           repeats = (size_t)(at_once / (double)bytes) + 1;
    float *x = checked_aligned_alloc(share * threads, sizeof *x);
    double best = INFINITY;
    /* memory that was never written to is one page of zeros */
    memset(x, 0, share * threads * sizeof *x);
    threads_use(threads);
    for (size_t i = 0; i < TRIES; i++) {
        float sum = 0;
        double started = clock_seconds_of(threads);
#pragma omp parallel for reduction(+ : sum)
        for (size_t t = 0; t < threads; t++) {
            float *own = x + t * share;
            for (size_t r = 0; r < repeats; r++) {
                sum +=
                    change ? change_all(own, share) : read_all(own, share, i % 2 == 0);
                /* the compiler shall not read once and multiply */
                __asm__ volatile("" ::: "memory");
            }
        }
        double seconds = clock_seconds_of(threads) - started;
        /* the first brings it into the cache */
        if (i > 0) best = smaller(best, seconds);
        sink = sum;
    }
    free(x);
    return (change ? 2 : 1) * (double)(share * threads * sizeof(float)) *
           (double)repeats / best;
}
