/* Final loss by learning rate, with and without warm-up, for two depths. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

static const double rates[] = {0.0005, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064};
enum { RATES = sizeof rates / sizeof *rates, SEEDS = 5, HIGH_RATE = 5 };

/* Final losses of one depth. */
typedef struct {
    size_t seeds;
    double loss[RUNS][RATES][SEEDS], mean[RUNS][RATES];
    double guess; /* the loss of a guess that ignores the input */
} RateTable;

static void measure_rates(RateTable *table, size_t depth, const Settings *settings,
                          size_t stride) {
    Progress progress = progress_begin("rates", RUNS * RATES * table->seeds);
    size_t done = 0;
    for (size_t run = 0; run < RUNS; run++) {
        for (size_t r = 0; r < RATES; r += stride) {
            table->mean[run][r] = 0;
            for (size_t k = 0; k < table->seeds; k++) {
                StackTraining config =
                    setup_training(&runs[run], depth, rates[r], settings->seed + k);
                table->loss[run][r][k] = stack_train(&config, NULL, NULL);
                table->mean[run][r] += table->loss[run][r][k] / (double)table->seeds;
                progress_update(&progress, done += stride, "%zu layers, %s", depth,
                                runs[run].name);
            }
        }
    }
    progress_end(&progress);
}

/* No better than 0.1 below guessing: such a rate has taught the runs next to
 * nothing. */
static bool stuck(const RateTable *table, size_t run, size_t rate) {
    return table->mean[run][rate] > table->guess - 0.1;
}

static size_t stuck_rates(const RateTable *table, size_t run, size_t stride) {
    size_t n = 0;
    for (size_t r = 0; r < RATES; r += stride) n += stuck(table, run, r);
    return n;
}

static double best_loss(const RateTable *table, size_t run, size_t stride) {
    double best = INFINITY;
    for (size_t r = 0; r < RATES; r += stride) best = fmin(best, table->mean[run][r]);
    return best;
}

static void write_rates(Csv *csv, const RateTable *table, size_t depth, size_t stride) {
    for (size_t run = 0; run < RUNS; run++) {
        for (size_t r = 0; r < RATES; r += stride) {
            const double *loss = table->loss[run][r];
            char seeds[200];
            size_t used = 0;
            for (size_t k = 0; k < table->seeds; k++) {
                used += (size_t)snprintf(seeds + used, sizeof seeds - used, ",%.4f",
                                         loss[k]);
            }
            csv_row(csv, "%zu,%s,%zu,%g,%.4f,%.4f,%d%s", depth,
                    placement_name(runs[run].placement),
                    runs[run].warmup ? setup.warmup_steps : 0, rates[r], table->guess,
                    table->mean[run][r], stuck(table, run, r), seeds);
        }
    }
}

static void print_rates(const RateTable *table, size_t depth, size_t stride) {
    printf("  %zu layers, loss after %zu steps by learning rate, mean of %zu seeds "
           "(guessing: %.2f)\n  %-17s",
           depth, setup.steps, table->seeds, table->guess, "");
    for (size_t r = 0; r < RATES; r += stride) printf(" %6g", rates[r]);
    putchar('\n');
    for (size_t run = 0; run < RUNS; run++) {
        printf("  %-17s", runs[run].name);
        for (size_t r = 0; r < RATES; r += stride)
            printf(" %6.2f", table->mean[run][r]);
        putchar('\n');
    }
}

static void claim_schedules(const RateTable *table, size_t depth, size_t stride) {
    size_t stuck_cold = stuck_rates(table, POST, stride),
           stuck_warm = stuck_rates(table, POST_WARM, stride);
    size_t stuck_pre = stuck_rates(table, PRE, stride),
           n = (RATES + stride - 1) / stride;
    double post = best_loss(table, POST, stride),
           warm = best_loss(table, POST_WARM, stride);
    double pre = best_loss(table, PRE, stride);
    claim(stuck_cold > stuck_warm,
          "%zu layers, post-LN: without warm-up %zu of %zu rates end within 0.1 of "
          "guessing, with it %zu",
          depth, stuck_cold, n, stuck_warm);
    claim(stuck_pre == 0, "%zu layers, pre-LN without warm-up: %zu of %zu rates do",
          depth, stuck_pre, n);
    claim(fabs(post - warm) < 0.05,
          "%zu layers, post-LN at its best rate: %.3f without warm-up, %.3f with it, "
          "nearer than 0.05",
          depth, post, warm);
    claim(pre < fmin(post, warm) - 0.05,
          "%zu layers, pre-LN without warm-up at its best rate: %.3f, lower by more "
          "than 0.05",
          depth, pre);
}

/* The smallest lead, over the seeds, of run `a` over run `b` at one rate. */
static double smallest_lead(const RateTable *table, size_t a, size_t b, size_t rate) {
    double lead = INFINITY;
    for (size_t k = 0; k < table->seeds; k++) {
        lead = smaller(lead, table->loss[b][rate][k] - table->loss[a][rate][k]);
    }
    return lead;
}

static void claim_rescue(const RateTable *table, size_t depth) {
    double warm = smallest_lead(table, POST_WARM, POST, HIGH_RATE);
    double pre = smallest_lead(table, PRE, POST_WARM, HIGH_RATE);
    claim(warm > 0.15,
          "%zu layers at %g: warm-up lowers post-LN's loss by %.2f or more in each "
          "seed, above 0.15",
          depth, rates[HIGH_RATE], warm);
    claim(pre > 0.15,
          "%zu layers at %g: pre-LN without warm-up is %.2f or more below post-LN with "
          "it, above 0.15",
          depth, rates[HIGH_RATE], pre);
}

void experiment_rates(const Settings *settings) {
    size_t stride = settings->quick ? 3 : 1;
    Csv csv = csv_begin(settings->out, "rates",
                        "depth,placement,warmup,rate,guess,mean,stuck,s1,s2,s3,s4,s5");
    for (size_t i = 1; i <= 2; i++) {
        RateTable table = {.seeds = settings->quick ? 1 : SEEDS,
                           .guess = teacher_guess_loss(setup.width, CLASSES)};
        size_t depth = i * setup.depth;
        measure_rates(&table, depth, settings, stride);
        write_rates(&csv, &table, depth, stride);
        print_rates(&table, depth, stride);
        claim_schedules(&table, depth, stride);
        if (i == 1 && !settings->quick) claim_rescue(&table, depth);
    }
    csv_commit(&csv);
}
