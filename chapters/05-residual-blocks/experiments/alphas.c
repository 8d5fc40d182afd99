/* The alphas of ReZero during training, by layer and by depth (Bachlechner et al.
 * 2020). */
#include <math.h>
#include <stdio.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum { DEPTHS = 4, MAX_LAYERS = 64, STEPS = 400, EVERY = 10 };

static const size_t depths[DEPTHS] = {8, 16, 32, MAX_LAYERS};

typedef struct {
    Csv *csv;    /* NULL: no lines */
    double mean; /* of |alpha| over the layers at the last step */
} Watched;

static void watch(Run *run, const Stack *s, size_t step, float loss) {
    (void)s;
    (void)loss;
    Watched *w = run->context;
    w->mean = 0;
    for (size_t l = 0; l < run->depth; l++) {
        double alpha = (double)run->joins[l].alpha->data[0];
        w->mean += fabs(alpha) / (double)run->depth;
        if (w->csv && step % EVERY == 1)
            csv_row(w->csv, "%zu,%zu,%zu,%.6g", run->depth, step, l + 1, alpha);
    }
}

void experiment_alphas(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    double x[DEPTHS], mean[DEPTHS], exponent[RUN_SEEDS], each[RUN_SEEDS][DEPTHS],
        steepest = -INFINITY;
    Csv csv = csv_begin(settings->out, "alphas", "layers,step,layer,alpha");
    Csv means = csv_begin(settings->out, "alphas-mean", "layers,mean");
    for (size_t d = 0; d < DEPTHS; d++) {
        x[d] = (double)depths[d];
        mean[d] = 0;
        for (size_t k = 0; k < seeds; k++) {
            Watched w = {.csv = k ? NULL : &csv};
            run_train(&(Run){.scheme = &schemes[REZERO],
                             .depth = depths[d],
                             .steps = settings->quick ? STEPS / 10 : STEPS,
                             .rate = 0.002,
                             .seed = settings->seed + k,
                             .on_step = watch,
                             .context = &w});
            each[k][d] = w.mean;
            mean[d] += w.mean / (double)seeds;
        }
        csv_row(&means, "%zu,%.6g", depths[d], mean[d]);
        printf("  %2zu layers: |alpha| is %.3f at the end, the mean over layers and "
               "seeds\n",
               depths[d], mean[d]);
    }
    csv_commit(&csv);
    csv_commit(&means);
    for (size_t k = 0; k < seeds; k++) {
        exponent[k] = fit_exponent(x, each[k], DEPTHS);
        steepest = larger(steepest, exponent[k]);
    }
    claim(steepest < -0.1,
          "the mean |alpha| falls with depth, as L^%.2f or faster in each seed; as "
          "L^%.2f in the mean",
          steepest, fit_exponent(x, mean, DEPTHS));
}
