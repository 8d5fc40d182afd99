/* With and without a residual connection, with and without a norm, at 6 and at 24
 * layers: loss curves, final losses, and the gradient of every layer before the first
 * step. */
#include <math.h>
#include <stdio.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/progress.h"

enum {
    CELLS = 5,
    DEPTHS = 2,
    SHALLOW = 0,
    DEEP = 1,
    RATES = 4,
    STEPS = 600,
    EVERY = 20,
    MAX_LAYERS = 24
};

static const size_t cells[CELLS] = {NONE, PLAIN, NORM_ONLY, POST, PRE};
enum { NEITHER, RESIDUAL_ONLY, NORM_WITHOUT, BOTH_POST, BOTH_PRE };
static const char *const names[CELLS] = {"neither", "residual", "norm", "post-LN",
                                         "pre-LN"};
static const size_t depths[DEPTHS] = {6, MAX_LAYERS};
static const double rates[RATES] = {0.0005, 0.002, 0.008, 0.032};

/* The measurements of one run. */
typedef struct {
    /* of each layer's second weight, before the first step */
    double gradient[MAX_LAYERS];
    double curve[STEPS / EVERY]; /* the mean loss of each EVERY steps */
    double first, last;          /* the loss of the first step, and of the last 20 */
} Watched;

static void watch(Run *run, const Stack *s, size_t step, float loss) {
    Watched *w = run->context;
    if (step == 1) {
        w->first = (double)loss;
        for (size_t l = 0; l < run->depth; l++)
            w->gradient[l] = tensor_grad_norm(s->mlps[l].down.weight);
    }
    w->curve[(step - 1) / EVERY] += (double)loss / EVERY;
}

typedef struct {
    Watched of[RATES][RUN_SEEDS];
    size_t seeds, best; /* the rate with the lowest mean of the last losses */
    double mean;        /* at that rate */
} Cell;

static Cell measure(size_t cell, size_t depth, size_t steps, const Settings *settings) {
    Cell c = {.seeds = settings->quick ? 1 : RUN_SEEDS, .mean = INFINITY};
    for (size_t r = 0; r < RATES; r++) {
        double mean = 0;
        for (size_t k = 0; k < c.seeds; k++) {
            Watched *w = &c.of[r][k];
            w->last = run_train(&(Run){.scheme = &schemes[cells[cell]],
                                       .depth = depth,
                                       .steps = steps,
                                       .rate = rates[r],
                                       .seed = settings->seed + k,
                                       .on_step = watch,
                                       .context = w});
            mean += w->last / (double)c.seeds;
        }
        if (mean < c.mean) {
            c.mean = mean;
            c.best = r;
        }
    }
    return c;
}

static double worst(const Cell *c) {
    double loss = -INFINITY;
    for (size_t k = 0; k < c->seeds; k++) loss = larger(loss, c->of[c->best][k].last);
    return loss;
}

static double lowest(const Cell *c) {
    double loss = INFINITY;
    for (size_t k = 0; k < c->seeds; k++) loss = smaller(loss, c->of[c->best][k].last);
    return loss;
}

static double mean_gradient(const Cell *c, size_t layer) {
    double gradient[RUN_SEEDS];
    for (size_t k = 0; k < c->seeds; k++)
        gradient[k] = c->of[c->best][k].gradient[layer];
    return geometric_mean(gradient, c->seeds);
}

static double mean_first(const Cell *c) {
    double first[RUN_SEEDS];
    for (size_t k = 0; k < c->seeds; k++) first[k] = c->of[c->best][k].first;
    return geometric_mean(first, c->seeds);
}

static void write_cell(Csv *final, Csv *curves, Csv *gradients, const Cell *c,
                       size_t depth, size_t cell, size_t steps, double guess) {
    csv_row(final, "%zu,%s,%g,%.6g,%.6g,%.6g,%.6g,%.6g", depth, names[cell],
            rates[c->best], mean_first(c), c->mean, lowest(c), worst(c), guess);
    for (size_t i = 0; i < steps / EVERY; i++) {
        double mean = 0;
        for (size_t k = 0; k < c->seeds; k++)
            mean += c->of[c->best][k].curve[i] / (double)c->seeds;
        csv_row(curves, "%zu,%s,%zu,%.6g", depth, names[cell], (i + 1) * EVERY, mean);
    }
    for (size_t l = 0; l < depth; l++) {
        csv_row(gradients, "%zu,%s,%zu,%.6g", depth, names[cell], l + 1,
                mean_gradient(c, l));
    }
    printf("  %6zu  %-9s %8g %12.4g %8.3f   %.3f to %.3f %10.2g\n", depth, names[cell],
           rates[c->best], mean_first(c), c->mean, lowest(c), worst(c),
           mean_gradient(c, 0) / mean_gradient(c, depth - 1));
}

static void claim_table(const Cell table[DEPTHS][CELLS], double guess) {
    const Cell *six = table[SHALLOW], *deep = table[DEEP];
    for (size_t i = BOTH_POST; i <= BOTH_PRE; i++) {
        claim(worst(&six[i]) < lowest(&six[NEITHER]),
              "6 layers: %s is below neither in every pair of seeds: %.3f, %.3f",
              names[i], worst(&six[i]), lowest(&six[NEITHER]));
    }
    claim(worst(&deep[NEITHER]) < guess - 0.1,
          "24 layers, neither: %.3f at worst, more than 0.1 below guessing (%.3f)",
          worst(&deep[NEITHER]), guess);
    claim(lowest(&deep[NORM_WITHOUT]) > guess - 0.15,
          "24 layers, norm alone: %.3f at best, within 0.15 of guessing",
          lowest(&deep[NORM_WITHOUT]));
    claim(
        lowest(&deep[RESIDUAL_ONLY]) > worst(&deep[NEITHER]),
        "24 layers, residual alone: %.3f at best, above neither in every pair of seeds",
        lowest(&deep[RESIDUAL_ONLY]));
    claim(mean_first(&deep[RESIDUAL_ONLY]) > 100,
          "24 layers, residual alone: the first loss is %.0f, above 100",
          mean_first(&deep[RESIDUAL_ONLY]));
    claim(worst(&deep[BOTH_PRE]) < guess - 0.5,
          "24 layers, pre-LN: %.3f at worst, more than 0.5 below guessing",
          worst(&deep[BOTH_PRE]));
    for (size_t i = NEITHER; i < BOTH_PRE; i++) {
        claim(worst(&deep[BOTH_PRE]) < lowest(&deep[i]) - 0.1,
              "24 layers: pre-LN ends more than 0.1 below %s in every pair of seeds",
              names[i]);
    }
}

void experiment_two_by_two(const Settings *settings) {
    size_t steps = settings->quick ? STEPS / 10 : STEPS;
    double guess = teacher_guess_loss(WIDTH, CLASSES);
    static Cell table[DEPTHS][CELLS];
    Csv final = csv_begin(settings->out, "two-by-two",
                          "layers,cell,rate,first,mean,low,high,guess");
    Csv curves = csv_begin(settings->out, "two-by-two-curves", "layers,cell,step,loss");
    Csv gradients =
        csv_begin(settings->out, "two-by-two-gradients", "layers,cell,layer,gradient");
    Progress progress = progress_begin("two-by-two", DEPTHS * CELLS);
    printf("  layers            best rate   first loss     last, mean and range  "
           "gradient of the first layer "
           "in the last's\n");
    for (size_t d = 0; d < DEPTHS; d++) {
        for (size_t i = 0; i < CELLS; i++) {
            table[d][i] = measure(i, depths[d], steps, settings);
            progress_update(&progress, d * CELLS + i + 1, "%zu layers, %s", depths[d],
                            names[i]);
            write_cell(&final, &curves, &gradients, &table[d][i], depths[d], i, steps,
                       guess);
        }
    }
    progress_end(&progress);
    csv_commit(&final);
    csv_commit(&curves);
    csv_commit(&gradients);
    claim_table(table, guess);
}
