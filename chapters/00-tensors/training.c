/* Training on two spirals: with a backward pass that is right or wrong, and over learning rates. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/experiments.h"
#include "00-tensors/spiral_net.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "fmath.h"
#include "gradcheck.h"
#include "memory.h"
#include "progress.h"

enum { POINTS = 200, HIDDEN = 64, STEPS = 1000, QUICK_STEPS = 200, EVERY = 10, SEEDS = 5, CHECKED = 32 };

typedef enum { WITH_SGD, WITH_ADAMW } Optimizer;

typedef struct {
    double first_loss, loss, accuracy; /* before the first step, and behind the last */
} Outcome;

/* Trains from the seed's weights on the seed's points. Each EVERY steps one row "backward,seed,step,loss"
 * goes to csv (NULL: none). */
static Outcome train(Optimizer optimizer, double rate, bool wrong, uint64_t seed, size_t steps, Csv *csv) {
    SpiralData data = spiral_data_create(POINTS, seed);
    SpiralRun run = spiral_run_create(HIDDEN, rate, seed);
    run.net.wrong_backward = wrong;
    Outcome o = {0};
    for (size_t step = 0; step <= steps; step++) {
        o.loss = (double)spiral_gradients(&run, &data, POINTS, &o.accuracy);
        if (step == 0) o.first_loss = o.loss;
        if (csv && step % EVERY == 0)
            csv_row(csv, "%s,%llu,%zu,%.6g", wrong ? "wrong" : "right", (unsigned long long)seed, step,
                    o.loss);
        if (optimizer == WITH_SGD) sgd_step(&run.params, (float)rate);
        if (optimizer == WITH_ADAMW) adamw_step(&run.adamw, &run.params);
    }
    spiral_run_free(&run);
    spiral_data_free(&data);
    return o;
}

/* --- a wrong backward pass --- */

/* The largest relative difference of a parameter's gradient, by the tape, from that by differences. */
static double gradient_error(bool wrong, uint64_t seed) {
    SpiralData data = spiral_data_create(POINTS, seed);
    SpiralRun run = spiral_run_create(HIDDEN, 0, seed);
    run.net.wrong_backward = wrong;
    double right, worst = 0, *numeric = checked_alloc(params_count(&run.params), sizeof *numeric),
                  *next = numeric;
    spiral_gradients(&run, &data, CHECKED, &right);
    spiral_numeric_gradient(numeric, &run, &data, CHECKED);
    for (size_t i = 0; i < run.params.n; i++) {
        const Tensor *x = run.params.items[i].tensor;
        worst = larger(worst, relative_difference(x->grad, next, tensor_size(x)));
        next += tensor_size(x);
    }
    free(numeric);
    spiral_run_free(&run);
    spiral_data_free(&data);
    return worst;
}

/* Of the errors and outcomes of all seeds, first with the right gradient, then with the wrong one. */
static void claim_wrong_gradient(double error[2][SEEDS], Outcome end[2][SEEDS]) {
    double largest_right = 0, smallest_wrong = INFINITY, least_fall = INFINITY, losses[2][SEEDS];
    for (size_t s = 0; s < SEEDS; s++) {
        largest_right = larger(largest_right, error[0][s]);
        smallest_wrong = smaller(smallest_wrong, error[1][s]);
        least_fall = smaller(least_fall, 1 - end[1][s].loss / end[1][s].first_loss);
        for (size_t w = 0; w < 2; w++) losses[w][s] = end[w][s].loss;
    }
    double right = geometric_mean(losses[0], SEEDS), wrong = geometric_mean(losses[1], SEEDS);
    claim(least_fall > 0, "with the wrong gradient the loss falls all the same, by %.0f %% or more (0 %%)",
          100 * least_fall);
    claim(right * 5 < wrong,
          "it ends at %.2f (geometric mean), %.0f times higher than with the right one (5 times)", wrong,
          wrong / right);
    claim(largest_right < 1e-5 && smallest_wrong > 0.1,
          "the check tells them apart before the first step: errors to %.0e (1e-5), and from %.2f (0.1)",
          largest_right, smallest_wrong);
}

void experiment_wrong_gradient(const Settings *settings) {
    size_t steps = settings->quick ? QUICK_STEPS : STEPS;
    Csv curves = csv_begin(settings->out, "00-wrong-gradient", "backward,seed,step,loss");
    Csv ends = csv_begin(settings->out, "00-wrong-gradient-end",
                         "backward,seed,gradient_error,first_loss,loss,accuracy");
    double error[2][SEEDS];
    Outcome end[2][SEEDS];
    printf("backward  seed  error of the gradient  first loss    loss  accuracy\n");
    for (size_t w = 0; w < 2; w++) {
        for (size_t s = 0; s < SEEDS; s++) {
            uint64_t seed = settings->seed + s;
            const char *name = w ? "wrong" : "right";
            error[w][s] = gradient_error(w == 1, seed);
            end[w][s] = train(WITH_ADAMW, 0.02, w == 1, seed, steps, &curves);
            csv_row(&ends, "%s,%llu,%.6g,%.6g,%.6g,%.6g", name, (unsigned long long)seed, error[w][s],
                    end[w][s].first_loss, end[w][s].loss, end[w][s].accuracy);
            printf("%-8s  %4llu  %21.1e  %10.3f  %6.3f  %8.3f\n", name, (unsigned long long)seed, error[w][s],
                   end[w][s].first_loss, end[w][s].loss, end[w][s].accuracy);
        }
    }
    csv_commit(&curves);
    csv_commit(&ends);
    claim_wrong_gradient(error, end);
}

/* --- learning rates --- */

enum { MAX_RATES = 13 };

typedef struct {
    const char *name;
    Optimizer optimizer;
    double lowest; /* three rates a decade from here */
    size_t n;
} Sweep;

/* The loss at the end, over the seeds. */
typedef struct {
    double rate, mean, lowest, highest; /* the mean is geometric */
} AtRate;

static AtRate train_at(const Sweep *sweep, size_t k, const Settings *settings, Csv *csv) {
    static const double between[] = {1, 2, 5};
    double losses[SEEDS];
    AtRate r = {sweep->lowest * power_double(10, k / 3) * between[k % 3], 0, INFINITY, 0};
    for (size_t i = 0; i < SEEDS; i++) {
        uint64_t seed = settings->seed + i;
        Outcome o = train(sweep->optimizer, r.rate, false, seed, settings->quick ? QUICK_STEPS : STEPS, NULL);
        losses[i] = o.loss;
        r.lowest = smaller(r.lowest, o.loss), r.highest = larger(r.highest, o.loss);
        csv_row(csv, "%s,%g,%llu,%.6g,%.6g", sweep->name, r.rate, (unsigned long long)seed, o.loss,
                o.accuracy);
    }
    r.mean = geometric_mean(losses, SEEDS);
    return r;
}

void experiment_learning_rates(const Settings *settings) {
    const Sweep sweeps[] = {{"SGD", WITH_SGD, 0.01, 11}, {"AdamW", WITH_ADAMW, 1e-4, MAX_RATES}};
    Csv csv = csv_begin(settings->out, "00-learning-rates", "optimizer,rate,seed,loss,accuracy");
    Csv means = csv_begin(settings->out, "00-learning-rates-mean", "optimizer,rate,loss,lowest,highest,best");
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
            csv_row(&means, "%s,%g,%.6g,%.6g,%.6g,%d", sweeps[i].name, r->rate, r->mean, r->lowest,
                    r->highest, r->mean <= best[i].mean);
        }
    }
    progress_end(&bar);
    csv_commit(&csv);
    csv_commit(&means);
    for (size_t i = 0; i < 2; i++) {
        printf("%-5s  best rate %-5g  loss there %.4f (geometric mean of %d seeds; %.4f to %.4f)\n",
               sweeps[i].name, best[i].rate, best[i].mean, SEEDS, best[i].lowest, best[i].highest);
    }
    claim(best[1].mean * 20 < best[0].mean,
          "each at its best rate, AdamW ends %.0f times lower than SGD (20 times)",
          best[0].mean / best[1].mean);
}
