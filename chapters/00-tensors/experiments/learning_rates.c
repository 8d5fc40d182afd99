/* The loss after training against the learning rate, with SGD and with AdamW. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/adamw.h"
#include "00-tensors/experiments/experiments.h"
#include "00-tensors/experiments/spiral_training.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { MAX_RATES = 13 };

typedef struct {
    const char *name;
    SpiralOptimizer optimizer;
    double lowest; /* three rates a decade from here */
    size_t n;
} Sweep;

/* The loss at the end, over the seeds. */
typedef struct {
    double rate, mean, lowest, highest; /* the mean is geometric */
} AtRate;

static AtRate train_at(const Sweep *sweep, size_t k, const Settings *settings,
                       Csv *csv) {
    static const double between[] = {1, 2, 5};
    double losses[SPIRAL_SEEDS];
    AtRate r = {.rate = sweep->lowest * power_double(10, k / 3) * between[k % 3],
                .lowest = INFINITY};
    for (size_t i = 0; i < SPIRAL_SEEDS; i++) {
        uint64_t seed = settings->seed + i;
        SpiralOutcome o =
            spiral_train(sweep->optimizer, r.rate, false, seed,
                         settings->quick ? SPIRAL_QUICK_STEPS : SPIRAL_STEPS, NULL);
        losses[i] = o.loss;
        r.lowest = smaller(r.lowest, o.loss);
        r.highest = larger(r.highest, o.loss);
        csv_row(csv, "%s,%g,%llu,%.6g,%.6g", sweep->name, r.rate,
                (unsigned long long)seed, o.loss, o.accuracy);
    }
    r.mean = geometric_mean(losses, SPIRAL_SEEDS);
    return r;
}

void experiment_learning_rates(const Settings *settings) {
    const Sweep sweeps[] = {{"SGD", WITH_SGD, 0.01, 11},
                            {"AdamW", WITH_ADAMW, 1e-4, MAX_RATES}};
    Csv csv =
        csv_begin(settings->out, "learning-rates", "optimizer,rate,seed,loss,accuracy");
    Csv means = csv_begin(settings->out, "learning-rates-mean",
                          "optimizer,rate,loss,lowest,highest,best");
    Progress bar = progress_begin("learning rates", sweeps[0].n + sweeps[1].n);
    AtRate at[2][MAX_RATES], best[2];
    for (size_t i = 0, done = 0; i < 2; i++) {
        best[i].mean = INFINITY;
        for (size_t k = 0; k < sweeps[i].n; k++) {
            at[i][k] = train_at(&sweeps[i], k, settings, &csv);
            if (at[i][k].mean < best[i].mean) best[i] = at[i][k];
            progress_update(&bar, ++done, "%s %g", sweeps[i].name, at[i][k].rate);
        }
        for (size_t k = 0; k < sweeps[i].n; k++) {
            const AtRate *r = &at[i][k];
            csv_row(&means, "%s,%g,%.6g,%.6g,%.6g,%d", sweeps[i].name, r->rate, r->mean,
                    r->lowest, r->highest, r->mean <= best[i].mean);
        }
    }
    progress_end(&bar);
    csv_commit(&csv);
    csv_commit(&means);
    for (size_t i = 0; i < 2; i++) {
        printf("%-5s  best rate %-5g  loss there %.4f (geometric mean of %d seeds; "
               "%.4f to %.4f)\n",
               sweeps[i].name, best[i].rate, best[i].mean, SPIRAL_SEEDS, best[i].lowest,
               best[i].highest);
    }
    claim(best[1].mean * 20 < best[0].mean,
          "each at its best rate, AdamW ends %.0f times lower than SGD (20 times)",
          best[0].mean / best[1].mean);
}
