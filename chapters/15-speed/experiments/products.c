/* GPT-2's products beside those of OpenBLAS: forward, and the two forms of the way
 * back. */
#include <stdio.h>

#include "15-speed/blas.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "files/csv.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"

enum { MOST_THREADS = 2, TURNS = 5 };

static void product_common_at_b(float *c, const float *a, const float *b, size_t m,
                                size_t n, size_t k) {
    matmul_at_b(c, a, b, m, n, k, true);
}
static void product_common_a_bt(float *c, const float *a, const float *b, size_t m,
                                size_t n, size_t k) {
    matmul_a_bt(c, a, b, m, n, k, true);
}

static const struct {
    const char *name;
    Product *common;
} forms[PRODUCT_FORMS] = {[A_B] = {"A B", product_common},
                          [AT_B] = {"A'B", product_common_at_b},
                          [A_BT] = {"A B'", product_common_a_bt}};

/* Layers on 256 and on 1024 tokens, the head, and a large square. */
static const struct {
    size_t m, k, n;
} shapes[] = {{256, 768, 2304},  {256, 768, 3072},  {256, 3072, 768},
              {1024, 768, 2304}, {1024, 768, 3072}, {1024, 3072, 768},
              {256, 768, 50257}, {2048, 2048, 2048}};
enum { SHAPES = sizeof shapes / sizeof *shapes, QUICK_SHAPES = 1 };

/* The rate of ours over that of OpenBLAS, which has none of its rows without one. */
static double compare(Csv *csv, size_t s, ProductForm form, size_t threads) {
    size_t m = shapes[s].m, k = shapes[s].k, n = shapes[s].n;
    Contender both[] = {{.run = forms[form].common},
                        {.run = blas_product(form, threads)}};
    Operands o = operands_create(m, n, k);
    timing_take_turns(both, both[1].run ? 2 : 1, &o, threads, TURNS);
    double ours = contender_rate(&both[0], &o),
           theirs = both[1].run ? contender_rate(&both[1], &o) : NAN;
    operands_free(&o);
    printf("%zu thread%s  %-4s %5zu x %4zu x %5zu %9.1f %9.1f %6.2f\n", threads,
           threads > 1 ? "s" : " ", forms[form].name, m, k, n, 1e-9 * ours,
           1e-9 * theirs, ours / theirs);
    csv_row(csv, "%zu,%s,%zu,%zu,%zu,%.5g,%.5g,%.4g", threads, forms[form].name, m, k,
            n, 1e-9 * ours, 1e-9 * theirs, ours / theirs);
    return ours / theirs;
}

void experiment_products(const Settings *settings) {
    size_t n = settings->quick ? QUICK_SHAPES : SHAPES, rows = 0;
    double ratios[SHAPES * PRODUCT_FORMS];
    Csv csv = csv_begin(settings->out, "products",
                        "threads,form,m,k,n,gflops,openblas_gflops,ratio");
    printf("%35s %9s %9s %6s\n", "GFLOP/s:", "ours", "OpenBLAS", "ratio");
    for (size_t s = 0; s < n; s++) {
        for (ProductForm form = A_B; form < PRODUCT_FORMS; form++) {
            ratios[rows++] = compare(&csv, s, form, 1);
            compare(&csv, s, form, MOST_THREADS);
        }
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    if (!blas_product(A_B, 1)) return;
    double mean = geometric_mean(ratios, rows);
    claim(mean > 0.7, "one thread: GPT-2's products reach %.2f of OpenBLAS (above 0.7)",
          mean);
}
