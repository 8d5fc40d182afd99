/* Measurements of a network while it trains: the gradient norm of every layer, and how
 * much the output still depends on the input. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"
#include "program/claim.h"
#include "files/csv.h"
#include "base/error.h"
#include "math/fit.h"
#include "math/fmath.h"

static double layer_gradient(const Stack *s, size_t l) {
    return tensor_grad_norm(s->mlps[l].down.weight);
}

/* Steps between two powers of sqrt(2), which a logarithmic axis can show. */
enum { WATCHED = 3, WINDOWS = 40 };
typedef struct {
    double steps, log_step, log_norm[WATCHED]; /* sums over the steps; of the first, a
                                                  middle and the last layer */
} Window;

static size_t watched_layer(size_t i, size_t depth) {
    return (size_t[WATCHED]){0, (depth - 1) / 2, depth - 1}[i];
}

static void window_add(Window *windows, const Stack *s, size_t step) {
    double log_step = log_double((double)step);
    Window *w = &windows[(size_t)(2 * log_step / log_double(2) + 1e-9)];
    w->steps++;
    w->log_step += log_step;
    for (size_t i = 0; i < WATCHED; i++)
        w->log_norm[i] +=
            log_double(layer_gradient(s, watched_layer(i, s->config.depth)));
}

/* The measurements of one run. */
typedef struct {
    Csv *csv;        /* NULL: no lines */
    Window *windows; /* [WINDOWS] or NULL */
    const char *name;
    float loss[5];        /* at the first step and at each quarter */
    double spread;        /* at SPREAD_STEP */
    double ratios[EARLY]; /* the first layer's gradient over the last layer's, at each
                             early step */
} Watch;

enum { SPREAD_STEP = 10, ALL_STEPS = 100, EVERY = 5, SEEDS = 5 };

/* A line for each of the first ALL_STEPS steps, then for each EVERY-th. */
static void write_step(const Watch *w, const Stack *s, size_t step, float loss) {
    char line[900];
    if (step > ALL_STEPS && step % EVERY) return;
    int used = snprintf(line, sizeof line, "%s,%zu,%.6g,%.4g", w->name, step,
                        (double)loss, output_spread(s));
    for (size_t l = 0; l < s->config.depth; l++) {
        used += snprintf(line + used, sizeof line - (size_t)used, ",%.4g",
                         layer_gradient(s, l));
    }
    csv_row(w->csv, "%s", line);
}

static size_t quarter_step(size_t quarter) {
    return quarter ? setup.steps * quarter / 4 : 1;
}

static void watch_step(void *context, const Stack *s, size_t step, float loss) {
    Watch *w = context;
    for (size_t quarter = 0; quarter <= 4; quarter++) {
        if (step == quarter_step(quarter)) w->loss[quarter] = loss;
    }
    if (step == SPREAD_STEP) w->spread = output_spread(s);
    if (step >= EARLY_START && step <= EARLY_END) {
        w->ratios[step - EARLY_START] =
            layer_gradient(s, 0) / layer_gradient(s, s->config.depth - 1);
    }
    if (w->csv) write_step(w, s, step, loss);
    if (w->windows) window_add(w->windows, s, step);
}

/* --- one rate, step by step --- */

static Csv begin_layers(const Settings *settings) {
    enum { MAX_COLUMNS = 64 };
    char columns[500];
    if (setup.depth > MAX_COLUMNS) {
        die_usage("--depth %zu: layer-gradients writes one column a layer, expected at "
                  "most %d",
                  setup.depth, MAX_COLUMNS);
    }
    size_t used = (size_t)snprintf(columns, sizeof columns, "run,step,loss,spread");
    for (size_t l = 1; l <= setup.depth; l++) {
        used += (size_t)snprintf(columns + used, sizeof columns - used, ",l%zu", l);
    }
    return csv_begin(settings->out, "layer-gradients", columns);
}

/* The summary of one run over its seeds. */
typedef struct {
    double loss, ratio; /* the final loss, mean; first/last, geometric mean */
    double spread_low, spread_high;
} Summary;

/* Writes the geometric mean of each window and layer over its steps: the median seed,
 * the least and the most. */
static void write_windows(Csv *csv, const char *run, Window windows[][WINDOWS],
                          size_t seeds) {
    for (size_t k = 0; k < WINDOWS; k++) {
        double steps = windows[0][k].steps;
        if (steps == 0) continue;
        for (size_t i = 0; i < WATCHED; i++) {
            double norms[MAX_SEEDS], low = INFINITY, high = 0;
            for (size_t s = 0; s < seeds; s++) {
                norms[s] = exp_double(windows[s][k].log_norm[i] / steps);
                low = smaller(low, norms[s]);
                high = larger(high, norms[s]);
            }
            csv_row(csv, "%s,%.4g,%zu,%.4g,%.4g,%.4g", run,
                    exp_double(windows[0][k].log_step / steps),
                    watched_layer(i, setup.depth) + 1, quantile(norms, seeds, 0.5), low,
                    high);
        }
    }
}

static Summary watch_run(const Run *run, const Settings *settings, size_t seeds,
                         Csv *csv, Csv *of_seeds) {
    Summary summary = {.spread_low = INFINITY};
    Window windows[MAX_SEEDS][WINDOWS] = {0};
    double ratios[MAX_SEEDS];
    for (size_t k = 0; k < seeds; k++) {
        Watch w = {.name = run->name, .csv = k ? NULL : csv, .windows = windows[k]};
        StackTraining config =
            setup_training(run, setup.depth, setup.rate, settings->seed + k);
        summary.loss += stack_train(&config, watch_step, &w) / (double)seeds;
        summary.spread_low = smaller(summary.spread_low, w.spread);
        summary.spread_high = larger(summary.spread_high, w.spread);
        ratios[k] = geometric_mean(w.ratios, EARLY);
    }
    write_windows(of_seeds, run->name, windows, seeds);
    summary.ratio = geometric_mean(ratios, seeds);
    return summary;
}

void experiment_layer_gradients(const Settings *settings) {
    size_t seeds = settings->quick ? 1 : SEEDS;
    Csv csv = begin_layers(settings);
    Csv of_seeds = csv_begin(settings->out, "layer-gradients-seeds",
                             "run,step,layer,median,low,high");
    Summary of[RUNS];
    printf("  %-17s  %10s  %10s  %s at step %d, over %zu seeds\n", "", "final loss",
           "first/last", "spread", SPREAD_STEP, seeds);
    for (size_t i = 0; i < RUNS; i++) {
        of[i] = watch_run(&runs[i], settings, seeds, &csv, &of_seeds);
        printf("  %-17s  %10.3f  %10.2g  %.2g to %.2g\n", runs[i].name, of[i].loss,
               of[i].ratio, of[i].spread_low, of[i].spread_high);
    }
    csv_commit(&csv);
    csv_commit(&of_seeds);
    if (!setup_as_given()) return;
    claim(of[POST].spread_high < 0.05,
          "post-LN without warm-up: spread at most %.2g in each seed, below 0.05",
          of[POST].spread_high);
    claim(of[POST_WARM].spread_low > 0.1,
          "post-LN with warm-up: at least %.2g, above 0.1", of[POST_WARM].spread_low);
    claim(of[POST].ratio < 0.1,
          "post-LN without warm-up: first/last is %.2g, below 0.1", of[POST].ratio);
    claim(of[POST_WARM].ratio > 0.3, "post-LN with warm-up: %.2g, above 0.3",
          of[POST_WARM].ratio);
    claim(of[PRE].ratio > 1, "pre-LN without warm-up: %.2g, above 1", of[PRE].ratio);
}

/* --- the demo's table --- */

void show_training(const Settings *settings) {
    printf("Training %zu layers with Adam at learning rate %g, four times on the same "
           "batches.\n"
           "spread: how much the output depends on the input at step %d; then the loss "
           "at step ...;\n"
           "mean: that of the last %d steps; first/last: the first layer's gradient "
           "norm divided by\n"
           "the last layer's, at steps %d to %d.\n\n%-17s %6s",
           setup.depth, setup.rate, SPREAD_STEP, TRAINING_TAIL, EARLY_START, EARLY_END,
           "", "spread");
    for (size_t quarter = 0; quarter <= 4; quarter++)
        printf(" %6zu", quarter_step(quarter));
    printf(" %6s %10s\n", "mean", "first/last");
    for (size_t i = 0; i < RUNS; i++) {
        Watch w = {0};
        StackTraining config =
            setup_training(&runs[i], setup.depth, setup.rate, settings->seed);
        double mean = stack_train(&config, watch_step, &w);
        printf("%-17s %6.3f", runs[i].name, w.spread);
        for (size_t quarter = 0; quarter <= 4; quarter++)
            printf(" %6.3f", (double)w.loss[quarter]);
        printf(" %6.3f %10.2g\n", mean, geometric_mean(w.ratios, EARLY));
    }
    printf("%-17s %48.3f\n", "guessing", teacher_guess_loss(setup.width, CLASSES));
}
