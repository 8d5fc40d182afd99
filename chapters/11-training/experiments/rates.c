/* Learning rate by batch size, all with the same number of tokens. */
#include <math.h>
#include <stdio.h>

#include "11-training/experiments/experiments.h"
#include "11-training/experiments/language_runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "program/progress.h"

enum { BATCHES = 3, RATES = 6, WINDOWS = 2048 };
static const size_t batches[BATCHES] = {1, 4, 16};
static const double rates[RATES] = {0.004, 0.008, 0.016, 0.032, 0.064, 0.128};

typedef struct {
    size_t n_seeds;
    double loss[BATCHES][RATES][RUN_SEEDS];
} Sweep;

static double mean_loss(const Sweep *s, size_t b, size_t r) {
    return moments_of(s->loss[b][r], s->n_seeds).mean;
}

static void write_losses(const Sweep *s, const char *directory) {
    Csv csv = csv_begin(directory, "rates", "batch,tokens,rate,seed,loss,mean");
    for (size_t b = 0; b < BATCHES; b++) {
        for (size_t r = 0; r < RATES; r++) {
            for (size_t k = 0; k < s->n_seeds; k++) {
                csv_row(&csv, "%zu,%zu,%g,%zu,%.6g,%.6g", batches[b],
                        batches[b] * WINDOW, rates[r], k + 1, s->loss[b][r][k],
                        mean_loss(s, b, r));
            }
        }
    }
    csv_commit(&csv);
}

static size_t lowest_loss(const double *loss) {
    size_t best = 0;
    for (size_t r = 1; r < RATES; r++) {
        if (loss[r] < loss[best]) best = r;
    }
    return best;
}

/* Between the rates tried: the lowest point of a parabola in ln rate through the best
 * one and its neighbours. */
static double best_rate(const double *loss) {
    double x[3];
    size_t best = lowest_loss(loss), first = best == 0           ? 0
                                             : best == RATES - 1 ? RATES - 3
                                                                 : best - 1;
    for (size_t i = 0; i < 3; i++) x[i] = log_double(rates[first + i]);
    return exp_double(fit_parabola_lowest(x, loss + first, 3));
}

static void print_losses(const Sweep *s) {
    printf("  loss, mean of %zu seeds, by learning rate\n  %-22s", s->n_seeds, "");
    for (size_t r = 0; r < RATES; r++) printf(" %6g", rates[r]);
    putchar('\n');
    for (size_t b = 0; b < BATCHES; b++) {
        printf("  %4zu tokens, %4zu steps", batches[b] * WINDOW, WINDOWS / batches[b]);
        for (size_t r = 0; r < RATES; r++) printf(" %6.3f", mean_loss(s, b, r));
        putchar('\n');
    }
}

static void claim_rates(const Sweep *s, const char *directory) {
    double slowest = INFINITY, fastest = -INFINITY, loss_of_large = INFINITY,
           x[BATCHES], best[BATCHES];
    Csv csv =
        csv_begin(directory, "rates-best", "seed,exponent,best_1,best_4,best_16,lost");
    for (size_t k = 0; k < s->n_seeds; k++) {
        double least[BATCHES];
        for (size_t b = 0; b < BATCHES; b++) {
            double loss[RATES];
            for (size_t r = 0; r < RATES; r++) loss[r] = s->loss[b][r][k];
            x[b] = (double)batches[b];
            best[b] = best_rate(loss);
            least[b] = loss[lowest_loss(loss)];
        }
        double exponent = fit_exponent(x, best, BATCHES),
               lost = least[2] - smaller(least[0], least[1]);
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%.6g,%.6g", k + 1, exponent, best[0], best[1],
                best[2], lost);
        printf("  seed %zu: best rates %.4f, %.4f, %.4f\n", k + 1, best[0], best[1],
               best[2]);
        slowest = smaller(slowest, exponent);
        fastest = larger(fastest, exponent);
        loss_of_large = smaller(loss_of_large, lost);
    }
    csv_commit(&csv);
    claim(slowest > 0.3 && fastest < 0.8,
          "the best rate grows as B^%.2f to B^%.2f over the seeds (allowed 0.3 to 0.8; "
          "the square root rule: "
          "0.5)",
          slowest, fastest);
    claim(loss_of_large > 0.1,
          "each at its best rate, the largest batch ends %.2f or more above the best "
          "of the others, above 0.1",
          loss_of_large);
}

void experiment_rates(const Settings *settings) {
    static Sweep s;
    s.n_seeds = settings->quick ? 1 : RUN_SEEDS;
    size_t windows = settings->quick ? WINDOWS / 8 : WINDOWS,
           n_runs = BATCHES * RATES * s.n_seeds, done = 0;
    Language l = language_create(settings->seed);
    Progress progress = progress_begin("rates", n_runs);
#pragma omp parallel for schedule(dynamic)
    for (size_t run = 0; run < n_runs; run++) {
        size_t b = run / s.n_seeds / RATES, r = run / s.n_seeds % RATES,
               k = run % s.n_seeds;
        TrainSettings t = language_settings(&l, 1, 16, batches[b], windows / batches[b],
                                            rates[r], settings->seed + k);
        s.loss[b][r][k] = language_train(&l, &t);
#pragma omp critical
        progress_update(&progress, ++done, "batches of %zu windows", batches[b]);
    }
    progress_end(&progress);
    write_losses(&s, settings->out);
    print_losses(&s);
    claim_rates(&s, settings->out);
    language_free(&l);
}
