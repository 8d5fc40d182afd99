/* Operations a second of every step, against the machine's peak,
 * common/kernels/matmul.c and OpenBLAS: square products, awkward ones, and those of
 * GPT-2. */
#include <math.h>
#include <stdio.h>

#include "15-speed/blas.h"
#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "kernels/matmul.h"
#include "kernels/threads.h"

enum {
    FIRST_THREADED = 6,
    COMMON = STEPS,
    BLAS,
    CONTENDERS,
    MOST_THREADS = 2,
    TURNS = 5
};
/* All rows of a large product would take a minute on the first two steps. What the rest
 * costs, a row costs too. */
enum { LOOPS_ROWS = 8, ORDER_ROWS = 64 };

typedef enum { SQUARE, AWKWARD, GPT2, KINDS } Kind;
static const char *const kind_names[] = {"square", "awkward", "gpt2"};

typedef struct {
    Kind kind;
    size_t m, n, k;
} Shape;

static const Shape shapes[] = {
    {SQUARE, 64, 64, 64},        {SQUARE, 128, 128, 128},
    {SQUARE, 256, 256, 256},     {SQUARE, 512, 512, 512},
    {SQUARE, 1024, 1024, 1024},  {SQUARE, 2048, 2048, 2048},
    {AWKWARD, 61, 61, 61},       {AWKWARD, 333, 333, 333},
    {AWKWARD, 1000, 1000, 1000}, {AWKWARD, 1025, 1025, 1025},
    {AWKWARD, 1, 3072, 768},     {AWKWARD, 3, 3072, 768},
    {GPT2, 256, 2304, 768},      {GPT2, 256, 768, 768},
    {GPT2, 256, 3072, 768},      {GPT2, 256, 768, 3072},
    {GPT2, 253, 3072, 768},      {GPT2, 64, 50257, 768},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, BRIEF_SHAPES = 4 };

static void product_common(float *c, const float *a, const float *b, size_t m, size_t n,
                           size_t k) {
    matmul(c, a, b, m, n, k, true);
}

static const char *contender_name(size_t i) {
    return i < STEPS ? ladder[i].name : i == COMMON ? "common" : "openblas";
}

/* [threads][shape][contender]; 1 to MOST_THREADS. */
static double rates[MOST_THREADS + 1][SHAPES][CONTENDERS];

/* Operations a second of all contenders. The steps before threads take no second one:
 * theirs is that of
 * one. */
static void measure(size_t s, size_t threads) {
    double *rate = rates[threads][s];
    size_t first = threads == 1 ? 1 : FIRST_THREADED;
    Contender all[CONTENDERS] = {{0}};
    for (size_t i = 0; i < STEPS; i++)
        all[i] = (Contender){.run = ladder[i].run, .prepared = ladder[i].prepared};
    all[0].rows = LOOPS_ROWS;
    all[1].rows = ORDER_ROWS;
    all[COMMON].run = product_common;
    all[BLAS].run = blas_product(threads);
    Operands o = operands_create(shapes[s].m, shapes[s].n, shapes[s].k);
    if (threads == 1) timing_take_turns(all, 1, &o, threads, 2);
    timing_take_turns(all + first, CONTENDERS - first - !all[BLAS].run, &o, threads,
                      TURNS);
    for (size_t i = 0; i < CONTENDERS; i++) {
        rate[i] = threads > 1 && i < first ? rates[1][s][i]
                  : all[i].run             ? contender_rate(&all[i], &o)
                                           : NAN;
    }
    operands_free(&o);
}

/* The peak is measured before and after each product: clocks of processors change. */
static void measure_all(Csv *csv, size_t threads, size_t n_shapes) {
    printf("%zu thread%s: GFLOP/s\n%18s %8s", threads, threads > 1 ? "s" : "", "",
           "peak");
    for (size_t i = 0; i < CONTENDERS; i++) printf(" %8s", contender_name(i));
    printf("\n");
    for (size_t s = 0; s < n_shapes; s++) {
        const Shape *shape = &shapes[s];
        double *rate = rates[threads][s], peak = machine_peak(threads);
        measure(s, threads);
        peak = larger(peak, machine_peak(threads));
        printf("%5zu %6zu %5zu %8.1f", shape->m, shape->n, shape->k, 1e-9 * peak);
        for (size_t i = 0; i < CONTENDERS; i++) printf(" %8.1f", 1e-9 * rate[i]);
        printf("\n");
        csv_row(
            csv,
            "%zu,%s,%zu,%zu,%zu,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g",
            threads, kind_names[shape->kind], shape->m, shape->n, shape->k, 1e-9 * peak,
            1e-9 * rate[0], 1e-9 * rate[1], 1e-9 * rate[2], 1e-9 * rate[3],
            1e-9 * rate[4], 1e-9 * rate[5], 1e-9 * rate[6], 1e-9 * rate[7],
            1e-9 * rate[COMMON], 1e-9 * rate[BLAS]);
    }
}

/* The geometric mean over the shapes of one kind of one contender's rate by
 * another's. */
static double mean_ratio(size_t threads, Kind kind, size_t one, size_t other) {
    double ratios[SHAPES];
    size_t n = 0;
    for (size_t s = 0; s < SHAPES; s++) {
        if (shapes[s].kind == kind)
            ratios[n++] = rates[threads][s][one] / rates[threads][s][other];
    }
    return geometric_mean(ratios, n);
}

static size_t shape_of(size_t n) {
    size_t s = 0;
    while (shapes[s].n != n || shapes[s].m != n) s++;
    return s;
}

static void claim_steps(const Settings *settings) {
    double(*one)[CONTENDERS] = rates[1];
    size_t large = shape_of(1024), beside = shape_of(1000);
    claim(one[large][1] > 3 * one[large][0],
          "1024: the order of the loops alone is worth %.1f times (above 3)",
          one[large][1] / one[large][0]);
    claim(one[large][5] > 20 * one[large][0],
          "1024: blocks are %.0f times as fast as three loops (above 20)",
          one[large][5] / one[large][0]);
    claim(one[large][4] > one[large][3], "1024: packing is worth %.1f times",
          one[large][4] / one[large][3]);
    printf("three loops at 1000 are %.2f times as fast as at 1024\n",
           one[beside][0] / one[large][0]);
    Csv csv = csv_begin(settings->out, "15-ladder-mean",
                        "threads,contender,kind,of_openblas,of_common");
    for (size_t threads = 1; threads <= MOST_THREADS; threads++) {
        for (size_t i = 0; i < CONTENDERS; i++) {
            for (Kind kind = SQUARE; kind < KINDS; kind++)
                csv_row(&csv, "%zu,%s,%s,%.3g,%.3g", threads, contender_name(i),
                        kind_names[kind], mean_ratio(threads, kind, i, BLAS),
                        mean_ratio(threads, kind, i, COMMON));
        }
        printf("%zu thread%s, GPT-2's shapes: threads reach %.2f of OpenBLAS, prepared "
               "%.2f, common %.2f\n",
               threads, threads > 1 ? "s" : "", mean_ratio(threads, GPT2, 6, BLAS),
               mean_ratio(threads, GPT2, 7, BLAS),
               mean_ratio(threads, GPT2, COMMON, BLAS));
    }
    csv_commit(&csv);
    double of_common = mean_ratio(1, GPT2, 7, COMMON);
    claim(of_common > 0.8,
          "GPT-2's shapes: the last step reaches %.2f of common/kernels/matmul.c "
          "(above 0.8)",
          of_common);
}

void experiment_ladder(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "15-ladder",
                        "threads,kind,m,n,k,peak,loops,order,tile,vectors,packed,"
                        "blocks,threaded,prepared,common,openblas");
    for (size_t threads = 1; threads <= MOST_THREADS; threads++)
        measure_all(&csv, threads, settings->quick ? BRIEF_SHAPES : SHAPES);
    csv_commit(&csv);
    threads_use(settings->threads);
    if (!settings->quick) claim_steps(settings);
}
