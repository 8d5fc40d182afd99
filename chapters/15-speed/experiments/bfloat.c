/* Products on a processor's units for bfloat16 (AVX-512 BF16): their bits beside those
 * of fused multiply-adds of the same numbers as floats, and their rate. A unit adds two
 * products to a sum, the second of each pair first, each with one rounding; so pairs
 * that are packed the other way round are added in our order. Numbers below 2^-126
 * become 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "15-speed/experiments/experiments.h"
#include "base/clock.h"
#include "base/memory.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "math/half.h"
#include "math/random.h"
#include "program/claim.h"
#ifdef __AVX512BF16__
#include <immintrin.h>

/* A tile of C [ROWS, VECTORS * LANES] whose operands the first two caches hold. */
enum { ROWS = 8, VECTORS = 3, LANES = 16, DEPTH = 768, TURNS = 40, REPEATS = 200 };
enum { COLUMNS = VECTORS * LANES };

/* The operands as floats, and as pairs of bfloat16. */
typedef struct {
    float a[ROWS][DEPTH], b[DEPTH][COLUMNS];
    uint32_t pairs_a[ROWS][DEPTH / 2], pairs_b[DEPTH / 2][COLUMNS];
} Numbers;

static uint32_t pair(float first, float second) {
    return (uint32_t)float_to_bfloat(first) << 16 | float_to_bfloat(second);
}

static Numbers *make_numbers(Random *r) {
    Numbers *n = checked_aligned_alloc(1, sizeof *n);
    random_fill_normal(r, n->a[0], ROWS * DEPTH, 1);
    random_fill_normal(r, n->b[0], DEPTH * COLUMNS, 1);
    for (size_t k = 0; k < DEPTH; k++) {
        for (size_t i = 0; i < ROWS; i++)
            n->a[i][k] = bfloat_to_float(float_to_bfloat(n->a[i][k]));
        for (size_t j = 0; j < COLUMNS; j++)
            n->b[k][j] = bfloat_to_float(float_to_bfloat(n->b[k][j]));
    }
    for (size_t k = 0; k < DEPTH / 2; k++) {
        for (size_t i = 0; i < ROWS; i++)
            n->pairs_a[i][k] = pair(n->a[i][2 * k], n->a[i][2 * k + 1]);
        for (size_t j = 0; j < COLUMNS; j++)
            n->pairs_b[k][j] = pair(n->b[2 * k][j], n->b[2 * k + 1][j]);
    }
    return n;
}

typedef void TileOf(float *c, const Numbers *n);

static void with_floats(float *c, const Numbers *n) {
    __m512 sums[ROWS][VECTORS] = {0};
    for (size_t k = 0; k < DEPTH; k++) {
#pragma GCC unroll 8
        for (size_t i = 0; i < ROWS; i++) {
            __m512 a = _mm512_set1_ps(n->a[i][k]);
#pragma GCC unroll 3
            for (size_t v = 0; v < VECTORS; v++)
                sums[i][v] = _mm512_fmadd_ps(a, _mm512_loadu_ps(n->b[k] + v * LANES),
                                             sums[i][v]);
        }
    }
#pragma GCC unroll 24
    for (size_t i = 0; i < ROWS * VECTORS; i++)
        _mm512_storeu_ps(c + i * LANES, sums[i / VECTORS][i % VECTORS]);
}

static void with_units(float *c, const Numbers *n) {
    __m512 sums[ROWS][VECTORS] = {0};
    for (size_t k = 0; k < DEPTH / 2; k++) {
#pragma GCC unroll 8
        for (size_t i = 0; i < ROWS; i++) {
            __m512i a = _mm512_set1_epi32((int)n->pairs_a[i][k]);
#pragma GCC unroll 3
            for (size_t v = 0; v < VECTORS; v++) {
                __m512i b = _mm512_loadu_si512(n->pairs_b[k] + v * LANES);
                sums[i][v] = _mm512_dpbf16_ps(sums[i][v], (__m512bh)a, (__m512bh)b);
            }
        }
    }
#pragma GCC unroll 24
    for (size_t i = 0; i < ROWS * VECTORS; i++)
        _mm512_storeu_ps(c + i * LANES, sums[i / VECTORS][i % VECTORS]);
}

static double seconds_of(TileOf *tile, float *c, const Numbers *n) {
    double started = clock_seconds_of(1);
    for (size_t i = 0; i < REPEATS; i++) tile(c, n);
    return (clock_seconds_of(1) - started) / REPEATS;
}

void experiment_bfloat(const Settings *settings) {
    enum { SUMS = ROWS * COLUMNS };
    Random r = random_create(settings->seed);
    size_t other = 0;
    double floats = INFINITY, units = INFINITY;
    threads_use(1);
    for (size_t t = 0; t < TURNS; t++) {
        float c[2][SUMS];
        Numbers *n = make_numbers(&r);
        floats = smaller(floats, seconds_of(with_floats, c[0], n));
        units = smaller(units, seconds_of(with_units, c[1], n));
        for (size_t i = 0; i < SUMS; i++) other += c[0][i] != c[1][i];
        free(n);
    }
    double billions = 2e-9 * SUMS * DEPTH;
    printf("%d sums of %d products: %zu differ; GFLOP/s: floats %.1f, units %.1f\n",
           TURNS * SUMS, DEPTH, other, billions / floats, billions / units);
    Csv csv =
        csv_begin(settings->out, "bfloat", "sums,other,float_gflops,unit_gflops,ratio");
    csv_row(&csv, "%d,%zu,%.4g,%.4g,%.3g", TURNS * SUMS, other, billions / floats,
            billions / units, floats / units);
    csv_commit(&csv);
    threads_use(settings->threads);
    claim(other == 0, "sums on units for bfloat16 have the bits of fused ones");
}
#else
void experiment_bfloat(const Settings *settings) {
    (void)settings;
    printf("skipped: the processor, or ARCH, has no AVX-512 BF16\n");
}
#endif
