/* Matrix products against OpenBLAS, and the small ones against the simple loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_OPENBLAS
#include <cblas.h>
#endif

#include "bench.h"
#include "base/clock.h"
#include "math/fit.h"
#include "kernels/matmul.h"
#include "base/memory.h"
#include "kernels/threads.h"

static const char *const form_names[] = {"C = A B", "C = A'B", "C = A B'"};

void product_ours(Form form, const Matrices *x) {
    if (form == AB) matmul(x->c, x->a, x->b, x->m, x->n, x->k, false);
    if (form == ATB) matmul_at_b(x->c, x->a, x->b, x->m, x->n, x->k, false);
    if (form == ABT) matmul_a_bt(x->c, x->a, x->b, x->m, x->n, x->k, false);
}

void product_theirs(Form form, const Matrices *x) {
#ifdef HAVE_OPENBLAS
    int m = (int)x->m, n = (int)x->n, k = (int)x->k;
    cblas_sgemm(CblasRowMajor, form == ATB ? CblasTrans : CblasNoTrans,
                form == ABT ? CblasTrans : CblasNoTrans, m, n, k, 1, x->a,
                form == ATB ? m : k, x->b, form == ABT ? k : n, 0, x->c, n);
#else
    product_ours(form, x);
#endif
}

/* The loop that everybody writes first, in the order that is kindest to the cache. */
static void product_simple(Form form, const Matrices *x) {
    size_t m = x->m, n = x->n, k = x->k;
    size_t a_row = form == ATB ? 1 : k, a_column = form == ATB ? m : 1;
    size_t b_row = form == ABT ? 1 : n, b_column = form == ABT ? k : 1;
    memset(x->c, 0, m * n * sizeof *x->c);
    for (size_t i = 0; i < m; i++) {
        for (size_t l = 0; l < k; l++) {
            float a = x->a[i * a_row + l * a_column];
            for (size_t j = 0; j < n; j++)
                x->c[i * n + j] += a * x->b[l * b_row + j * b_column];
        }
    }
}

static double operations(const Matrices *x) {
    return 2.0 * (double)x->m * (double)x->n * (double)x->k;
}

/* Seconds of one product, repeated for at least 10 ms, and the threads' share of as
 * many processors. */
static double timed(Product *f, Form form, const Matrices *x, size_t threads,
                    double *share) {
    const double at_least = 0.01;
    size_t at_once = (size_t)(1e6 / operations(x)) + 1, repeats = 0;
    double began = clock_seconds(), processor = clock_processor_seconds(), seconds;
    do {
        for (size_t i = 0; i < at_once; i++) f(form, x);
        repeats += at_once;
        seconds = clock_seconds() - began;
    } while (seconds < at_least);
    *share = (clock_processor_seconds() - processor) / seconds / (double)threads;
    return seconds / (double)repeats;
}

/* The better of two times, if the first does not take so long that warming up does not
 * matter. A product that all threads share is timed again where they shared one
 * processor, too: OpenBLAS' own cannot be parted before. Over 10 ms the share of two
 * threads may be off by a fifth (clock.h); on one processor it is a half. */
double product_seconds(Product *f, Form form, const Matrices *x, size_t threads) {
    const double long_enough = 0.05, parted = 0.75, all_threads_from = 1e8;
    bool shared = threads > 1 && operations(x) > all_threads_from;
    double best = INFINITY, share = 0;
    for (int tries = 0; tries == 0 || (tries < 10 && shared && share < parted);
         tries++) {
        threads_part(threads);
        best = timed(f, form, x, threads, &share);
        if (best < long_enough)
            best = smaller(best, timed(f, form, x, threads, &share));
    }
    return best;
}

static void compare(Csv *csv, size_t threads, Product *other, const size_t shape[3]) {
    size_t m = shape[0], k = shape[1], n = shape[2];
    float *a = bench_floats(m * k), *b = bench_floats(k * n),
          *c = checked_alloc(m * n, sizeof *c);
    Matrices of = {.c = c, .a = a, .b = b, .m = m, .n = n, .k = k};
    for (Form form = AB; form <= ABT; form++) {
        double mine[MAX_ROUNDS], theirs[MAX_ROUNDS];
        for (size_t r = 0; r < bench_rounds; r++) {
            mine[r] = product_seconds(product_ours, form, &of, threads);
            theirs[r] = product_seconds(other, form, &of, threads);
        }
        double flop = 1e-9 * operations(&of);
        Spread spread = bench_spread(mine, bench_rounds);
        double x = flop / spread.middle, y = flop / quantile(theirs, bench_rounds, 0.5);
        printf("%-10s %6zu %6zu %6zu %9.1f %9.1f %7.2f %4.0f %%\n", form_names[form], m,
               k, n, x, y, x / y, 100 * spread.spread);
        if (csv)
            csv_row(csv, "%zu,%d,%zu,%zu,%zu,%.5g,%.5g,%.4g,%.2g", threads, (int)form,
                    m, k, n, x, y, x / y, spread.spread);
    }
    free(a);
    free(b);
    free(c);
}

void bench_products(Csv *csv, size_t threads) {
    static const size_t shapes[][3] = {
        {256, 768, 2304},  {256, 768, 3072},  {256, 3072, 768},  {256, 768, 50257},
        {1024, 768, 2304}, {1024, 768, 3072}, {1024, 3072, 768}, {2048, 2048, 2048}};
    static const size_t small[][3] = {
        {64, 64, 64}, {7, 33, 65}, {3, 5, 7}, {1, 64, 300}, {48, 64, 48}};
    bench_threads(threads);
    printf(
        "\nmatrix products, %zu thread%s: GFLOP/s, and ours as a share of OpenBLAS\n",
        threads, threads > 1 ? "s" : "");
    printf("%-10s %6s %6s %6s %9s %9s %7s %6s\n", "", "m", "k", "n", "ours", "OpenBLAS",
           "ratio", "spread");
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        compare(csv, threads, product_theirs, shapes[s]);
    for (size_t s = 0; s < sizeof small / sizeof *small; s++)
        compare(csv, threads, product_theirs, small[s]);
    if (threads > 1) return;
    printf("\nthe same small ones against the simple loop\n");
    for (size_t s = 0; s < sizeof small / sizeof *small; s++)
        compare(NULL, threads, product_simple, small[s]);
}
