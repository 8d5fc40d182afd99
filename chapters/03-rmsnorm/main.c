/* RMSNorm beside LayerNorm: the part that it leaves out, the time that this saves, and
 * the shift that it cannot undo. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "03-rmsnorm/experiments/experiments.h"
#include "03-rmsnorm/prmsnorm.h"
#include "03-rmsnorm/rmsnorm.h"
#include "base/memory.h"
#include "program/program.h"
#include "math/random.h"

static size_t dim = 256;

/* How well the first elements of a row speak for all of it: the error of pRMSNorm's
 * scale. */
static void show_parts(const Settings *settings) {
    enum { ROWS = 1000, STREAM_ROWS = 1 };
    float *x = checked_alloc(ROWS * dim, sizeof *x),
          *out = checked_alloc(ROWS * dim, sizeof *out);
    float *whole = checked_alloc(ROWS, sizeof *whole),
          *some = checked_alloc(ROWS, sizeof *some);
    Random r = random_stream(settings->seed, STREAM_ROWS);
    random_fill_normal(&r, x, ROWS * dim, 1);
    rmsnorm_forward(out, whole, x, NULL, ROWS, dim, 0);
    printf("\npRMSNorm: the scale from the first part of a row of %zu, %d rows of N(0, "
           "1):\n\n%8s %8s %14s\n",
           dim, ROWS, "part", "p", "error of scale");
    for (size_t part = dim; part >= dim / 16 && part > 0; part /= 2) {
        double sum = 0;
        prmsnorm_forward(out, some, x, NULL, ROWS, dim, part, 0);
        for (size_t i = 0; i < ROWS; i++) {
            double error = (double)some[i] / (double)whole[i] - 1;
            sum += error * error;
        }
        printf("%8zu %7.2f%% %13.1f%%\n", part, 100 * (double)part / (double)dim,
               100 * sqrt(sum / ROWS));
    }
    free(x);
    free(out);
    free(whole);
    free(some);
}

static void demo(const Settings *settings) {
    show_offsets(settings);
    show_differences(settings, dim);
    show_costs(dim);
    show_parts(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"dim", OPTION_SIZE, &dim, "length of a row", 2, 1e6}, {0}};
    static const Experiment experiments[] = {
        {"offset", "both norms trained on inputs with a mean", experiment_offset},
        {"training", "no norm, LayerNorm, RMSNorm and pRMSNorm over seeds",
         experiment_training},
        {"invariance", "what may be done to weights and inputs", experiment_invariance},
        {0},
    };
    static const Experiment timed[] = {
        {"time", "nanoseconds per row against its length", experiment_time},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){.name = "03-rmsnorm",
                                  .summary = "LayerNorm without the mean",
                                  .example = "--dim 768",
                                  .options = {options},
                                  .experiments = experiments,
                                  .timed = timed,
                                  .demo = demo});
}
