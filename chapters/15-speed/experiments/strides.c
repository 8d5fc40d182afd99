/* Why packing pays: the same product where the rows of B lie 896 to 1152 floats apart,
 * in pages of 4 kB where the system lets us ask, with panels as they are and
 * packed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "15-speed/machine.h"
#include "base/memory.h"
#include "files/csv.h"
#include "kernels/simd.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"

enum { M = 240, N = 768, K = 768, LEAST = 896, MOST = 1152, APART = 16, TURNS = 25 };
enum { DISTANCES = (MOST - LEAST) / APART + 1 };

static float *a, *b, *c;
static size_t b_row;

static void in_place(void) {
    product_panels_apart(c, a, b, b_row, M, N, K);
}
static void packed(void) {
    product_packed_apart(c, a, b, b_row, M, N, K);
}

/* Room for a B in small pages: each row is on a page of its own, near or far. */
static float *in_small_pages(void) {
    const size_t page = 4096, bytes = (sizeof(float) * K * MOST / page + 1) * page;
    float *x = aligned_alloc(page, bytes);
    if (!x) return checked_aligned_alloc(K * MOST, sizeof *x);
#ifdef MADV_NOHUGEPAGE
    madvise(x, bytes, MADV_NOHUGEPAGE);
#endif
    for (size_t i = 0; i < K * MOST; i++) x[i] = (float)(i % 7) * 1e-3f;
    return x;
}

/* For each distance of rows the seconds of its quickest turn in place and packed. Turns
 * of all distances alternate, so that a busy moment of the machine spoils none of
 * them. */
static double seconds[DISTANCES][2];

static void take_turn(size_t distance) {
    Work *const run[] = {in_place, packed};
    double turn[2];
    b_row = LEAST + distance * APART;
    timing_work(turn, run, 2, 1, 1);
    for (size_t i = 0; i < 2; i++)
        seconds[distance][i] = smaller(seconds[distance][i], turn[i]);
}

/* A share of the peak. */
static double share(size_t distance, size_t is_packed, double peak) {
    return 2.0 * M * N * K / seconds[distance][is_packed] / peak;
}

void experiment_strides(const Settings *settings) {
    size_t turns = settings->quick ? 1 : TURNS, n = 0;
    Csv csv = csv_begin(settings->out, "strides", "row,in_place,packed");
    Operands o = operands_create(M, N, K);
    double peak = machine_peak(1), at_power = 0, beside[DISTANCES];
    a = o.a;
    b = in_small_pages();
    c = o.c;
    for (size_t d = 0; d < DISTANCES; d++) seconds[d][0] = seconds[d][1] = INFINITY;
    for (size_t t = 0; t < turns; t++) {
        for (size_t d = 0; d < DISTANCES; d++) take_turn(d);
    }
    for (size_t d = 0; d < DISTANCES; d++) {
        size_t row = LEAST + d * APART;
        double shares[] = {share(d, 0, peak), share(d, 1, peak)};
        printf("%5zu floats apart: %.2f of the peak, packed %.2f\n", row, shares[0],
               shares[1]);
        csv_row(&csv, "%zu,%.3g,%.3g", row, shares[0], shares[1]);
        if (row == 1024) at_power = shares[0];
        if (row > 960 && row < 1088 && row % 32 == 16) beside[n++] = shares[0];
    }
    csv_commit(&csv);
    operands_free(&o);
    free(b);
    threads_use(settings->threads);
    /* With vectors of 512 bits not every processor shows it. */
    if (settings->quick || SIMD_WIDTH > 8) return;
    double elsewhere = geometric_mean(beside, n);
    claim(elsewhere > 1.2 * at_power,
          "panels in place: rows 976 to 1072 floats apart give %.2f of the peak, 1024 "
          "apart %.2f (above 1.2 times)",
          elsewhere, at_power);
}
