/* Five sizes by five budgets of operations: which size makes the most of a budget
 * (Hoffmann et al. 2022, approach 2). */
#include <math.h>
#include <stdio.h>

#include "11-training/cost.h"
#include "11-training/experiments/experiments.h"
#include "11-training/experiments/isoflop_fit.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum { BATCH = 4, RUNS = ISOFLOP_BUDGETS * ISOFLOP_SIZES };
static const double smallest_budget = 4e9, rate = 0.02;

/* From about 5500 parameters on, each some 1.7 times the one before. */
static const struct {
    size_t n_layer, d_model;
} sizes[ISOFLOP_SIZES] = {{1, 8}, {1, 12}, {2, 16}, {2, 24}, {2, 32}};

static TrainSettings settings_of(const Language *l, size_t size, size_t steps,
                                 uint64_t seed) {
    return language_settings(l, sizes[size].n_layer, sizes[size].d_model, BATCH, steps,
                             rate, seed);
}

/* Parameters, and the operations of a step. */
static double measure_size(const Language *l, size_t size, double *flops) {
    TrainSettings s = settings_of(l, size, 1, 1);
    Trainer t = trainer_create(&s, &l->data, NULL);
    double n = (double)params_count(&t.model->params);
    *flops = train_flops(&t);
    trainer_free(&t);
    return n;
}

typedef struct {
    size_t n_seeds;
    size_t steps[ISOFLOP_BUDGETS][ISOFLOP_SIZES];
    IsoFlop seeds[RUN_SEEDS], mean;
} Surface;

static void plan(Surface *f, const Language *l, double smallest) {
    for (size_t i = 0; i < ISOFLOP_SIZES; i++) {
        double flops, n = measure_size(l, i, &flops);
        for (size_t b = 0; b < ISOFLOP_BUDGETS; b++) {
            double budget = smallest * (double)(1u << b);
            f->steps[b][i] = (size_t)(budget / flops + 0.5);
            for (size_t k = 0; k < f->n_seeds; k++) {
                f->seeds[k].parameters[i] = n;
                f->seeds[k].budget[b] = budget;
            }
        }
    }
    f->mean = f->seeds[0];
}

/* The largest budgets first, so that no thread is left with a long run at the end. */
static void train_all(Surface *f, const Language *l, uint64_t first_seed) {
    size_t n_runs = RUNS * f->n_seeds, done = 0;
    Progress progress = progress_begin("isoflop", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < n_runs; run++) {
        size_t k = run % f->n_seeds, i = run / f->n_seeds % ISOFLOP_SIZES,
               b = ISOFLOP_BUDGETS - 1 - run / f->n_seeds / ISOFLOP_SIZES;
        TrainSettings s = settings_of(l, i, f->steps[b][i], first_seed + k);
        f->seeds[k].loss[b][i] = language_train(l, &s);
#pragma omp critical
        progress_update(&progress, ++done, "%.0f parameters", f->mean.parameters[i]);
    }
    progress_end(&progress);
    for (size_t b = 0; b < ISOFLOP_BUDGETS; b++) {
        for (size_t i = 0; i < ISOFLOP_SIZES; i++) {
            double sum = 0;
            for (size_t k = 0; k < f->n_seeds; k++) sum += f->seeds[k].loss[b][i];
            f->mean.loss[b][i] = sum / (double)f->n_seeds;
        }
    }
}

static void write_losses(const Surface *f, const char *directory) {
    Csv csv = csv_begin(directory, "isoflop", "flops,parameters,tokens,seed,loss");
    for (size_t b = 0; b < ISOFLOP_BUDGETS; b++) {
        for (size_t i = 0; i < ISOFLOP_SIZES; i++) {
            for (size_t k = 0; k < f->n_seeds; k++) {
                size_t tokens = f->steps[b][i] * BATCH * WINDOW;
                csv_row(&csv, "%g,%.0f,%zu,%zu,%.6g", f->mean.budget[b],
                        f->mean.parameters[i], tokens, k + 1, f->seeds[k].loss[b][i]);
            }
        }
    }
    csv_commit(&csv);
}

/* The best size of each budget, of the mean over the seeds and of the seeds. */
static void write_best(const Surface *f, const char *directory) {
    Csv csv = csv_begin(directory, "isoflop-best",
                        "flops,mean,low,high,loss,tokens_a_parameter");
    printf("%10s  losses by size (mean of %zu seeds)       best size   tokens a "
           "parameter\n",
           "operations", f->n_seeds);
    for (size_t b = 0; b < ISOFLOP_BUDGETS; b++) {
        double best = isoflop_best_size(&f->mean, b), low = INFINITY, high = 0,
               least = INFINITY;
        for (size_t k = 0; k < f->n_seeds; k++) {
            low = smaller(low, isoflop_best_size(&f->seeds[k], b));
            high = larger(high, isoflop_best_size(&f->seeds[k], b));
        }
        printf("%10.2g ", f->mean.budget[b]);
        for (size_t i = 0; i < ISOFLOP_SIZES; i++) {
            printf(" %6.3f", f->mean.loss[b][i]);
            least = smaller(least, f->mean.loss[b][i]);
        }
        double ratio = f->mean.budget[b] / (6 * best * best);
        printf("   %9.0f   %6.1f\n", best, ratio);
        csv_row(&csv, "%g,%.6g,%.6g,%.6g,%.6g,%.6g", f->mean.budget[b], best, low, high,
                least, ratio);
    }
    csv_commit(&csv);
}

static void claim_exponent(const Surface *f, const char *directory) {
    double exponent[RUN_SEEDS], low = INFINITY, high = -INFINITY;
    Csv csv = csv_begin(directory, "isoflop-exponent", "seed,exponent");
    for (size_t k = 0; k < f->n_seeds; k++) {
        exponent[k] = isoflop_exponent(&f->seeds[k]);
        low = smaller(low, exponent[k]);
        high = larger(high, exponent[k]);
        csv_row(&csv, "%zu,%.6g", k + 1, exponent[k]);
    }
    csv_commit(&csv);
    size_t inside = 0;
    for (size_t b = 0; b < ISOFLOP_BUDGETS; b++) {
        double best = isoflop_best_size(&f->mean, b);
        inside += best > f->mean.parameters[0] &&
                  best < f->mean.parameters[ISOFLOP_SIZES - 1];
    }
    claim(
        inside == ISOFLOP_BUDGETS,
        "the best size lies between the smallest and the largest for %zu of %d budgets",
        inside, ISOFLOP_BUDGETS);
    claim(low > 0.2 && high < 0.65,
          "the best size grows as C^%.2f (%.2f to %.2f over the seeds, allowed 0.2 to "
          "0.65); Hoffmann: 0.49",
          isoflop_exponent(&f->mean), low, high);
}

void experiment_isoflop(const Settings *settings) {
    static Surface f;
    f.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    Language l = language_create(settings->seed);
    plan(&f, &l, settings->quick ? smallest_budget / 8 : smallest_budget);
    train_all(&f, &l, settings->seed);
    write_losses(&f, settings->out);
    write_best(&f, settings->out);
    claim_exponent(&f, settings->out);
    language_free(&l);
}
