/* Operations a second of every rung, against the machine's peak,
 * common/kernels/matmul.c and OpenBLAS; and each rung on the shape that shows it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "15-speed/blas.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "kernels/simd.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/threads.h"

enum { COMMON = STEPS, BLAS, CONTENDERS };
enum { MOST_THREADS = 2, TURNS = 2, ROUNDS = 3 };
/* All rows of a large product would take a minute on the first two steps. What the rest
 * costs, a row costs too. */
enum { LOOPS_ROWS = 6, ORDER_ROWS = 48 };

/* `first`: the first step that is timed; those before would take minutes. */
typedef struct {
    size_t m, n, k;
    const char *what;
    size_t first;
} Shape;

enum { FFN, SMALL, SQUARE, BESIDE, ODD, TOKEN, PROMPT, QKV, DOWN, HEAD, MANY, SHAPES };
static const Shape shapes[SHAPES] = {
    [FFN] = {240, 3072, 768, "FFN of 240 tokens", LOOPS},
    [SMALL] = {240, 240, 240, "small square", LOOPS},
    [SQUARE] = {1024, 1024, 1024, "square", LOOPS},
    [BESIDE] = {1000, 1000, 1000, "square", LOOPS},
    [ODD] = {63, 1000, 768, "odd", LOOPS},
    [TOKEN] = {1, 3072, 768, "FFN of one token", ORDER},
    [PROMPT] = {16, 3072, 768, "FFN of 16 tokens", ORDER},
    [QKV] = {256, 2304, 768, "q k v", PACKED},
    [DOWN] = {256, 768, 3072, "FFN, back to 768", PACKED},
    [HEAD] = {48, 50257, 768, "logits of 48 tokens", REGISTERS},
    [MANY] = {8192, 1024, 1024, "many rows", EDGES},
};
enum { SHARED_SHAPES = HEAD }; /* those that two threads are timed on */
enum { QUICK_SHAPES = SMALL + 1 };

/* The shape that shows a rung beside the one before. */
static const size_t shown_on[STEPS] = {
    [ORDER] = FFN, [REGISTERS] = SMALL, [PANELS] = HEAD, [PACKED] = SQUARE,
    [EDGES] = ODD, [BLOCKS] = MANY,     [THREADS] = FFN, [PREPARED] = PROMPT,
};
/* How many times as fast a rung is on its shape at least. Blocks depend on the caches,
 * and packing does with vectors of 512 bits (strides.c): nothing is claimed of them. */
static const double at_least[STEPS] = {
    [ORDER] = 3,     [REGISTERS] = 1.3,
    [PANELS] = 1.2,  [PACKED] = SIMD_WIDTH > 8 ? 0 : 1.2,
    [EDGES] = 1.05,  [THREADS] = 1.4,
    [PREPARED] = 1.1};

static double rates[MOST_THREADS + 1][SHAPES][CONTENDERS], peaks[MOST_THREADS + 1];

static const char *contender_name(size_t i) {
    return i < STEPS ? ladder[i].name : i == COMMON ? "common" : "openblas";
}

/* The steps before threads take no second thread: they are timed with one. */
static void measure(size_t s, size_t threads) {
    const Shape *shape = &shapes[s];
    size_t first = threads > 1 ? THREADS : shape->first;
    Contender all[CONTENDERS] = {{0}};
    for (size_t i = 0; i < STEPS; i++)
        all[i] = (Contender){.run = ladder[i].run, .prepared = ladder[i].prepared};
    all[LOOPS].rows = LOOPS_ROWS;
    all[ORDER].rows = ORDER_ROWS;
    all[COMMON].run = product_common;
    all[BLAS].run = blas_product(A_B, threads);
    Operands o = operands_create(shape->m, shape->n, shape->k);
    timing_take_turns(all + first, CONTENDERS - first - !all[BLAS].run, &o, threads,
                      TURNS);
    for (size_t i = 0; i < CONTENDERS; i++) {
        if (i < first || !all[i].run) continue;
        double *rate = &rates[threads][s][i];
        *rate = larger(*rate, contender_rate(&all[i], &o));
    }
    operands_free(&o);
}

static void report(Csv *csv, size_t s, size_t threads) {
    const Shape *shape = &shapes[s];
    printf("%zu x %zu x %zu, %s:", shape->m, shape->n, shape->k, shape->what);
    for (size_t i = 0; i < CONTENDERS; i++) {
        double rate = rates[threads][s][i];
        if (rate == 0) continue;
        printf(" %s %.1f", contender_name(i), 1e-9 * rate);
        csv_row(csv, "%zu,%zu,%zu,%zu,%s,%.3g,%.3g", threads, shape->m, shape->n,
                shape->k, contender_name(i), 1e-9 * rate, rate / peaks[threads]);
    }
    printf("\n");
}

/* All shapes again and again, so that a busy minute of the machine spoils none of
 * them. */
static void measure_all(Csv *csv, size_t threads, bool quick) {
    size_t n = quick         ? QUICK_SHAPES
               : threads > 1 ? SHARED_SHAPES
                             : SHAPES,
           rounds = quick ? 1 : ROUNDS;
    peaks[threads] = machine_peak(threads);
    for (size_t round = 0; round < rounds; round++) {
        for (size_t s = 0; s < n; s++) measure(s, threads);
    }
    peaks[threads] = larger(peaks[threads], machine_peak(threads));
    printf("%zu thread%s, GFLOP/s, peak %.1f\n", threads, threads > 1 ? "s" : "",
           1e-9 * peaks[threads]);
    for (size_t s = 0; s < n; s++) report(csv, s, threads);
}

static double before(size_t step) {
    return rates[1][shown_on[step]][step - 1];
}
static double after(size_t step) {
    return rates[step == THREADS ? MOST_THREADS : 1][shown_on[step]][step];
}

static void report_rungs(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "ladder-rungs",
                        "rung,step,m,n,k,before,after,before_of_peak,after_of_peak,"
                        "ratio");
    for (size_t step = ORDER; step < STEPS; step++) {
        const Shape *shape = &shapes[shown_on[step]];
        csv_row(&csv, "%zu,%s,%zu,%zu,%zu,%.3g,%.3g,%.3g,%.3g,%.3g", step + 1,
                ladder[step].name, shape->m, shape->n, shape->k, 1e-9 * before(step),
                1e-9 * after(step), before(step) / peaks[1], after(step) / peaks[1],
                after(step) / before(step));
    }
    csv_commit(&csv);
    for (size_t step = ORDER; step < STEPS; step++) {
        const Shape *shape = &shapes[shown_on[step]];
        double ratio = after(step) / before(step);
        if (at_least[step] == 0) {
            printf("%s: %.2f times\n", ladder[step].name, ratio);
            continue;
        }
        claim(ratio > at_least[step],
              "%zu x %zu x %zu: %s is %.2f times as fast as %s"
              " (above %g)",
              shape->m, shape->n, shape->k, ladder[step].name, ratio,
              ladder[step - 1].name, at_least[step]);
    }
}

void experiment_ladder(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "ladder", "threads,m,n,k,step,gflops,of_peak");
    for (size_t threads = 1; threads <= MOST_THREADS; threads++)
        measure_all(&csv, threads, settings->quick);
    csv_commit(&csv);
    threads_use(settings->threads);
    if (settings->quick) return;
    report_rungs(settings);
}
