/* The riddle of the three loops: a B of 2048 or 3072 columns beside one of sixteen more
 * or fewer, and the same loops in the order that goes along its rows. */
#include <stdio.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/experiments/timing.h"
#include "files/csv.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"

enum { M = 24, K = 768, ROUNDS = 12, COMPARED = 2 };
enum { POWER, ABOVE_POWER, BELOW, FFN, ABOVE, SIZES };

static const size_t columns[SIZES] = {
    [POWER] = 2048, [ABOVE_POWER] = 2064, [BELOW] = 3056, [FFN] = 3072, [ABOVE] = 3088};

static void measure(double rates[COMPARED], size_t n) {
    Contender compared[COMPARED] = {{.run = product_loops}, {.run = product_order}};
    Operands o = operands_create(M, n, K);
    timing_take_turns(compared, COMPARED, &o, 1, 1);
    for (size_t c = 0; c < COMPARED; c++)
        rates[c] = larger(rates[c], contender_rate(&compared[c], &o));
    operands_free(&o);
}

void experiment_columns(const Settings *settings) {
    size_t rounds = settings->quick ? 1 : ROUNDS;
    double rates[SIZES][COMPARED] = {{0}};
    /* All sizes again and again, so that a busy moment of the machine spoils none. */
    for (size_t r = 0; r < rounds; r++) {
        for (size_t i = 0; i < SIZES; i++) measure(rates[i], columns[i]);
    }
    Csv csv = csv_begin(settings->out, "columns", "columns,loops,order");
    printf("%d x columns x %d, one thread, GFLOP/s\n%8s %8s %8s\n", M, K, "columns",
           "loops", "order");
    for (size_t i = 0; i < SIZES; i++) {
        double loops = 1e-9 * rates[i][0], order = 1e-9 * rates[i][1];
        printf("%8zu %8.2f %8.1f\n", columns[i], loops, order);
        csv_row(&csv, "%zu,%.3g,%.3g", columns[i], loops, order);
    }
    csv_commit(&csv);
    threads_use(settings->threads);
    if (settings->quick) return;
    double ratio = rates[ABOVE][0] / rates[FFN][0];
    claim(ratio > 1.5,
          "three loops: 3088 columns are %.1f times as fast as 3072 (above 1.5)",
          ratio);
}
