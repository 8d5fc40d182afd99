/* How far AdamW moves a weight in one step, as a share of the learning rate: 1 at the
 * first step, less ever after; and how that depends on the memory of v. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/experiments/experiments.h"
#include "00-tensors/experiments/spiral_training.h"
#include "00-tensors/spiral_net.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { SEEDS = 3, LAST = 100, EVERY_STEP_UP_TO = 30, THEN_EVERY = 5 };

/* The mean over the first n numbers of |m'| / (sqrt(v') + eps) after a step, with m'
 * and v' the moments corrected for their start at zero: the step without the rate. */
static double mean_share(const AdamW *adamw, size_t n) {
    const AdamWSettings *s = &adamw->settings;
    double correct1 = 1 - power_double((double)s->beta1, adamw->step);
    double correct2 = 1 - power_double((double)s->beta2, adamw->step);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double m = (double)adamw->m[i] / correct1, v = (double)adamw->v[i] / correct2;
        sum += fabs(m) / (sqrt(v) + (double)s->eps);
    }
    return sum / (double)n;
}

/* Mean shares of one run: at step 1, the largest from step 10 on, the mean of the last
 * steps. */
typedef struct {
    double first, largest_later, last;
} Shares;

/* Trains as make run-00 does, with another beta2. fc1.weight is the first parameter, so
 * its moments are the first ones. */
static Shares train(float beta2, uint64_t seed, size_t steps, Csv *csv) {
    SpiralData data = spiral_data_create(SPIRAL_POINTS, seed);
    SpiralRun run = spiral_run_create(SPIRAL_HIDDEN, 0.02, seed);
    run.adamw.settings.beta2 = beta2;
    size_t n = tensor_size(run.net.fc1.weight);
    double right;
    Shares seen = {0};
    for (size_t step = 1; step <= steps; step++) {
        double loss = (double)spiral_gradients(&run, &data, SPIRAL_POINTS, &right);
        adamw_step(&run.adamw, &run.params);
        double share = mean_share(&run.adamw, n);
        if (step <= EVERY_STEP_UP_TO || step % THEN_EVERY == 0) {
            csv_row(csv, "%g,%llu,%zu,%.6g,%.6g", (double)beta2,
                    (unsigned long long)seed, step, loss, share);
        }
        if (step == 1) seen.first = share;
        if (step >= 10) seen.largest_later = larger(seen.largest_later, share);
        if (step + LAST > steps) seen.last += share / LAST;
    }
    spiral_run_free(&run);
    spiral_data_free(&data);
    return seen;
}

/* Rows of the table and of the CSV of ends. */
static Shares report(float beta2, uint64_t seed, size_t steps, Csv *curves, Csv *ends) {
    Shares seen = train(beta2, seed, steps, curves);
    csv_row(ends, "%g,%llu,%.6g,%.6g,%.6g", (double)beta2, (unsigned long long)seed,
            seen.first, seen.largest_later, seen.last);
    printf("%5g  %4llu  %6.3f  %18.3f  %14.3f\n", (double)beta2,
           (unsigned long long)seed, seen.first, seen.largest_later, seen.last);
    return seen;
}

void experiment_step_size(const Settings *settings) {
    size_t steps = settings->quick ? SPIRAL_QUICK_STEPS : SPIRAL_STEPS;
    Csv curves = csv_begin(settings->out, "step-size", "beta2,seed,step,loss,share");
    Csv ends = csv_begin(settings->out, "step-size-end",
                         "beta2,seed,first,largest_later,last");
    double least_first = INFINITY, largest_later = 0, least_ratio = INFINITY;
    printf("what a weight of fc1 moves by, in the mean, as a share of the rate\n"
           "beta2  seed  step 1  largest from 10 on  last %d steps\n",
           LAST);
    for (uint64_t seed = settings->seed; seed < settings->seed + SEEDS; seed++) {
        Shares usual = report(0.999f, seed, steps, &curves, &ends);
        Shares short_memory = report(0.9f, seed, steps, &curves, &ends);
        least_first = smaller(least_first, usual.first);
        largest_later = larger(largest_later, usual.largest_later);
        least_ratio = smaller(least_ratio, short_memory.last / usual.last);
    }
    csv_commit(&curves);
    csv_commit(&ends);
    claim(least_first > 0.99,
          "step 1 moves a weight by %.3f of the rate or more (0.99)", least_first);
    claim(largest_later < 0.6, "from step 10 on by %.2f of it at most (0.6)",
          largest_later);
    if (settings->quick) return; /* v of 0.999 remembers longer than that */
    claim(least_ratio > 2,
          "with beta2 0.9 the last steps are longer, %.1f times or more (2 times)",
          least_ratio);
}
