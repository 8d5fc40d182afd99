/* Where the peak comes from: the rate of multiply-adds by the number of sums at once,
 * beside units x lanes x 2 x clock. */
#include <math.h>
#include <stdio.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/machine.h"
#include "files/csv.h"
#include "kernels/simd.h"
#include "kernels/threads.h"
#include "math/fit.h"
#include "program/claim.h"

void experiment_sums(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "sums", "sums,gflops,per_cycle"),
        about = csv_begin(settings->out, "sums-machine",
                          "clock_ghz,lanes,peak_gflops,units,latency");
    double rate[MOST_SUMS + 1], clock = machine_clock(), most = 0;
    for (size_t sums = 1; sums <= MOST_SUMS; sums++) {
        rate[sums] = machine_rate_of_sums(sums);
        clock = larger(clock, machine_clock());
        most = larger(most, rate[sums]);
    }
    for (size_t sums = 1; sums <= MOST_SUMS; sums++) {
        double per_cycle = rate[sums] / clock / 2 / SIMD_WIDTH;
        printf("%2zu sums: %6.1f GFLOP/s, %.2f multiply-adds of vectors a cycle\n",
               sums, 1e-9 * rate[sums], per_cycle);
        csv_row(&csv, "%zu,%.4g,%.3g", sums, 1e-9 * rate[sums], per_cycle);
    }
    double units = most / clock / 2 / SIMD_WIDTH,
           latency = 2 * SIMD_WIDTH * clock / rate[2] * 2;
    printf("%.2f GHz, %d lanes: %.2f units, a latency of %.2f cycles\n", 1e-9 * clock,
           SIMD_WIDTH, units, latency);
    csv_row(&about, "%.3g,%d,%.4g,%.3g,%.3g", 1e-9 * clock, SIMD_WIDTH, 1e-9 * most,
            units, latency);
    csv_commit(&csv);
    csv_commit(&about);
    threads_use(settings->threads);
    claim(rate[1] < 0.4 * most, "one sum reaches %.2f of many (below 0.4)",
          rate[1] / most);
}
