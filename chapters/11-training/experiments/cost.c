/* The cost of a training step by the size of the model: predicted from its config, and
 * measured. */
#include <math.h>
#include <stdio.h>

#include "11-training/cost.h"
#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "base/clock.h"
#include "files/csv.h"
#include "math/fit.h"

enum { SIZES = 5, BATCH = 16, TRIES = 8 };

static const struct {
    size_t n_layer, d_model;
} sizes[SIZES] = {{1, 16}, {2, 32}, {2, 64}, {3, 96}, {4, 128}};

/* The shortest of several steps, behind one that allocates. */
static double seconds_a_step(Trainer *t) {
    trainer_step(t);
    double best = INFINITY;
    while (t->step < t->settings.steps) {
        double started = clock_seconds();
        trainer_step(t);
        best = smaller(best, clock_seconds() - started);
    }
    return best;
}

void experiment_cost(const Settings *settings) {
    Language l = language_create(settings->seed);
    double most = machine_flops(), share[SIZES], worst = 0;
    Csv csv = csv_begin(settings->out, "cost",
                        "layers,width,parameters,gflop,state_mb,activations_mb,"
                        "predicted_ms,measured_ms,gflops,share");
    printf("  a product of two matrices makes %.0f GFLOP/s here; a step of %d tokens\n"
           "  blocks  width  parameters   GFLOP   weights, gradients, moments   "
           "activations   as a product   "
           "measured\n",
           most / 1e9, BATCH * WINDOW);
    for (size_t i = 0; i < SIZES; i++) {
        TrainSettings s = language_settings(&l, sizes[i].n_layer, sizes[i].d_model,
                                            BATCH, 1 + TRIES, 0.001, settings->seed);
        Trainer t = trainer_create(&s, &l.data, NULL);
        double seconds = seconds_a_step(&t), flops = train_flops(&t);
        TrainMemory m = train_memory(&t);
        size_t n = params_count(&t.model->params),
               state = m.weights + m.gradients + m.moments;
        share[i] = flops / seconds / most;
        worst = larger(worst, fabs((double)state - 16.0 * (double)n));
        printf("  %6zu %6zu %11zu %7.2f %24.1f MB %10.1f MB %11.1f ms %7.1f ms\n",
               sizes[i].n_layer, sizes[i].d_model, n, flops / 1e9, (double)state / 1e6,
               (double)m.activations / 1e6, 1000 * flops / most, 1000 * seconds);
        csv_row(&csv, "%zu,%zu,%zu,%.6g,%.6g,%.6g,%.4g,%.4g,%.4g,%.4g",
                sizes[i].n_layer, sizes[i].d_model, n, flops / 1e9, (double)state / 1e6,
                (double)m.activations / 1e6, 1000 * flops / most, 1000 * seconds,
                flops / seconds / 1e9, share[i]);
        trainer_free(&t);
    }
    csv_commit(&csv);
    claim(worst == 0,
          "weights, gradients and moments are 16 bytes a parameter, exactly");
    claim(share[SIZES - 1] > 1.5 * share[0],
          "the share of a product's speed grows with the model, from %.0f to %.0f %%, "
          "by more than half",
          100 * share[0], 100 * share[SIZES - 1]);
    language_free(&l);
}
