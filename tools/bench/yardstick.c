/* What this machine can do: see bench.h. */
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "bench.h"
#include "base/clock.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "kernels/reduce.h"
#include "kernels/simd.h"
#include "kernels/threads.h"

static volatile float sink;

/* Four sums at once, in four stretches of x: nothing but reading takes time. */
static float read_plain(const float *x, size_t n) {
    size_t quarter = n / 4 / SIMD_WIDTH * SIMD_WIDTH;
    Floats a = floats_all(0), b = a, c = a, d = a;
    for (size_t i = 0; i < quarter; i += SIMD_WIDTH) {
        a += floats_load(x + i);
        b += floats_load(x + i + quarter);
        c += floats_load(x + i + 2 * quarter);
        d += floats_load(x + i + 3 * quarter);
    }
    a += b + c + d;
    return a[0];
}

static void move(const float *from, float *to, Moves m) {
    enum { PIECES = 8 };
    float sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (size_t p = 0; p < PIECES; p++) {
        size_t read = m.read / PIECES, copied = m.copied / PIECES,
               changed = m.changed / PIECES;
        sum += read_plain(from + p * read, read);
        for (size_t i = p * copied; i < (p + 1) * copied; i++) to[i] = from[i];
        for (size_t i = p * changed; i < (p + 1) * changed; i++) to[i] += 1.0f;
    }
    sink = sum;
}

double yardstick_move(const float *from, float *to, Moves m) {
    double started = clock_seconds();
    move(from, to, m);
    return clock_seconds() - started;
}

/* Every thread reads its share of each tensor and waits for nobody. */
double yardstick_read_params(const Params *params) {
    double started = clock_seconds();
    float sum = 0;
#pragma omp parallel reduction(+ : sum)
    for (size_t i = 0; i < params->n; i++) {
        size_t threads = 1, thread = 0;
#ifdef _OPENMP
        threads = (size_t)omp_get_num_threads();
        thread = (size_t)omp_get_thread_num();
#endif
        size_t share = tensor_size(params->items[i].tensor) / threads;
        sum += read_plain(params->items[i].tensor->data + thread * share, share);
    }
    sink = sum;
    return clock_seconds() - started;
}

/* The formulas, each as a plain loop. */
static void exponential(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = exp_float(x[i]);
}
static float exponentials(float *out, const float *x, size_t n) {
    float max = row_max(x, n);
    for (size_t i = 0; i < n; i++) out[i] = exp_float(x[i] - max);
    return row_sum(out, n);
}
static void logsumexp(float *out, const float *x, size_t n) {
    sink = exponentials(out, x, n);
}
static void softmax(float *out, const float *x, size_t n) {
    float factor = 1.0f / exponentials(out, x, n);
    for (size_t i = 0; i < n; i++) out[i] *= factor;
}
static void gelu(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float cubic = x[i] + 0.044715f * x[i] * x[i] * x[i];
        out[i] = 0.5f * x[i] * (1.0f + tanh_float(0.79788456f * cubic));
    }
}
static void gelu_slope(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float square = x[i] * x[i],
              t = tanh_float(0.79788456f * (x[i] + 0.044715f * square * x[i]));
        float inner = 0.79788456f * (1.0f + 0.134145f * square);
        out[i] = 0.5f * (1.0f + t) + 0.5f * x[i] * (1.0f - t * t) * inner;
    }
}
static void silu(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] * sigmoid_float(x[i]);
}

double yardstick_formula(Formula f, size_t threads) {
    static void (*const formulas[])(float *, const float *, size_t) = {
        [FORMULA_EXP] = exponential,       [FORMULA_LOGSUMEXP] = logsumexp,
        [FORMULA_SOFTMAX] = softmax,       [FORMULA_GELU] = gelu,
        [FORMULA_GELU_SLOPE] = gelu_slope, [FORMULA_SILU] = silu};
    enum { N = 2048, REPEATS = 500 };
    static float x[N], out[N];
    if (f == FORMULA_NONE) return 0;
    for (size_t i = 0; i < N; i++) x[i] = -6.0f + 12.0f * (float)i / N;
    double seconds[5];
    for (size_t r = 0; r < 5; r++) {
        double started = clock_seconds();
        for (size_t j = 0; j < REPEATS; j++) {
            formulas[f](out, x, N);
            sink = out[j];
        }
        seconds[r] = clock_seconds() - started;
    }
    return quantile(seconds, 5, 0.5) / ((double)N * REPEATS * (double)threads);
}

double yardstick_product_rate(size_t threads) {
    enum { N = 2048 };
    static float *a, *b, *c;
    if (!a) {
        a = bench_floats(N * N);
        b = bench_floats(N * N);
        c = checked_alloc(N * N, sizeof *c);
    }
    Matrices square = {.c = c, .a = a, .b = b, .m = N, .n = N, .k = N};
    double seconds = product_seconds(product_theirs, AB, &square, threads);
    threads_part(threads);
    return 2.0 * N * N * N / seconds;
}
