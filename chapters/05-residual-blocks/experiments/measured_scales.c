/* Branch scales that are measured (exercise 05/measure_scales), in stacks without
 * norms: for branches that are independent of their stream, and for branches whose
 * second matrix starts as the transpose of the first, so that they go along with it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "05-residual-blocks/measure_scales.h"
#include "base/memory.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"

enum { STREAM_BATCH = 20, INPUTS = 64, DEPTHS = 5, SEEDS = 10 };

static const size_t depths[DEPTHS] = {4, 8, 16, 32, 64};

/* The growth of all measured stacks: 1 from the batch, and 1 from all branches. */
static const double growth = 2;

/* The transpose, as large as the matrix that it replaces. */
static void tie(const Stack *s, uint64_t seed) {
    (void)seed;
    size_t d = s->config.d_model, h = s->config.d_hidden;
    float factor = sqrtf((float)d / (float)(2 * h));
    for (size_t l = 0; l < s->config.depth; l++) {
        const float *up = s->mlps[l].up.weight->data;
        float *down = s->mlps[l].down.weight->data;
        for (size_t i = 0; i < h; i++) {
            for (size_t j = 0; j < d; j++) down[i * d + j] = factor * up[j * h + i];
        }
    }
}

static void run_branch(float *out, const float *x, size_t n, size_t l,
                       const void *self) {
    const Stack *s = self;
    size_t d = s->config.d_model;
    Tape t = tape_for_inference();
    Tensor *input = tape_tensor(&t, 2, (size_t[]){n / d, d}, false);
    memcpy(input->data, x, n * sizeof *x);
    memcpy(out, layer_forward(&t, s->residuals[l].sublayer, input)->data,
           n * sizeof *out);
    tape_free(&t);
}

/* Scales the last layer of each branch by a measurement on a random batch. Returns the
 * mean of the scales. */
static double measure_and_scale(const Stack *s, uint64_t seed) {
    size_t d = s->config.d_model, depth = s->config.depth;
    Random data = random_stream(seed, STREAM_BATCH);
    float *x = checked_alloc(INPUTS * d, sizeof *x),
          *scales = checked_alloc(depth, sizeof *scales);
    double sum = 0;
    random_fill_normal(&data, x, INPUTS * d, 1);
    measure_scales(scales, x, INPUTS * d, growth, &(Branches){depth, run_branch, s});
    for (size_t l = 0; l < depth; l++) {
        scale_weights(s->mlps[l].down.weight, scales[l]);
        sum += (double)scales[l];
    }
    free(x);
    free(scales);
    return sum / (double)depth;
}

/* --- the size of the stream --- */

enum { INDEPENDENT, TIED, KINDS };
static const char *const kind_names[KINDS] = {"independent", "tied"};

typedef struct {
    double fixed, measured; /* growth of the mean square, s = 1/sqrt(N) and measured */
    double scale;           /* the mean of the measured scales */
} Growth;

/* The factor by which the stack multiplies the mean square of inputs on which nothing
 * was measured. */
static double growth_of(const Stack *s, uint64_t seed) {
    size_t d = s->config.d_model;
    Random data = random_stream(seed, STREAM_BATCH + 1);
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){INPUTS, d}, false);
    random_fill_normal(&data, x->data, INPUTS * d, 1);
    double result = tensor_mean_square(stack(&t, s, x)) / tensor_mean_square(x);
    tape_free(&t);
    return result;
}

static Growth grow(size_t kind, size_t depth, uint64_t seed) {
    Growth g;
    for (size_t measured = 0; measured < 2; measured++) {
        Network n = network_create(&schemes[PLAIN], D_MODEL, D_HIDDEN, seed, depth);
        if (kind == TIED) tie(&n.stack, seed);
        if (measured) {
            g.scale = measure_and_scale(&n.stack, seed);
            g.measured = growth_of(&n.stack, seed);
        } else {
            scale_branches(&n.stack, 1 / sqrtf((float)depth));
            g.fixed = growth_of(&n.stack, seed);
        }
        network_free(&n);
    }
    return g;
}

/* Geometric means over the seeds. */
static Growth mean_growth(size_t kind, size_t depth, uint64_t seed, size_t seeds) {
    double fixed[SEEDS], measured[SEEDS], scale[SEEDS];
    for (size_t k = 0; k < seeds; k++) {
        Growth g = grow(kind, depth, seed + k);
        fixed[k] = g.fixed;
        measured[k] = g.measured;
        scale[k] = g.scale;
    }
    return (Growth){geometric_mean(fixed, seeds), geometric_mean(measured, seeds),
                    geometric_mean(scale, seeds)};
}

void show_measured_scales(uint64_t seed) {
    static const char *const titles[KINDS] = {"drawn independently",
                                              "second matrix = transpose of the first"};
    printf("\nGrowth of the mean square in x + s F(x): s = 1/sqrt N, and s measured\n");
    for (size_t kind = 0; kind < KINDS; kind++) {
        printf("  %s\n%8s %12s %12s %14s\n", titles[kind], "N", "1/sqrt N", "measured",
               "mean scale");
        for (size_t i = 0; i < DEPTHS; i += 2) {
            Growth g = grow(kind, depths[i], seed);
            printf("%8zu %12.4g %12.3f %14.4f\n", depths[i], g.fixed, g.measured,
                   g.scale);
        }
    }
}

static void sizes(const Settings *settings) {
    Growth g[KINDS][DEPTHS];
    double n[DEPTHS], scale[DEPTHS], exponent[KINDS], worst = 0;
    Csv csv =
        csv_begin(settings->out, "measured-scales", "kind,layers,fixed,measured,scale");
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < DEPTHS; i++) {
            g[kind][i] = mean_growth(kind, depths[i], settings->seed,
                                     settings->quick ? 2 : SEEDS);
            n[i] = (double)depths[i];
            scale[i] = g[kind][i].scale;
            worst = larger(worst, fabs(g[kind][i].measured - growth));
            csv_row(&csv, "%s,%zu,%.6g,%.6g,%.6g", kind_names[kind], depths[i],
                    g[kind][i].fixed, g[kind][i].measured, g[kind][i].scale);
        }
        exponent[kind] = fit_exponent(n, scale, DEPTHS);
    }
    csv_commit(&csv);
    claim(fabs(exponent[INDEPENDENT] + 0.5) < 0.1,
          "independent branches: the measured scale falls as N^%.2f, expected N^-0.5",
          exponent[INDEPENDENT]);
    claim(fabs(exponent[TIED] + 1) < 0.1,
          "branches that go along: as N^%.2f, expected N^-1", exponent[TIED]);
    claim(worst < 0.2, "on other inputs the stream grows by %g, within %.2f", growth,
          worst);
    claim(g[TIED][DEPTHS - 1].fixed > 1e6,
          "with 1/sqrt N branches that go along multiply it by %.2g",
          g[TIED][DEPTHS - 1].fixed);
}

/* --- and whether they train --- */

enum { FIXED, SMALL, MEASURED, WAYS };
enum { RATES = 3, STEPS = 400, DEEP = 64 };
static const char *const way_names[WAYS] = {"1/rN", "1/N", "measured"};
static const double rates[RATES] = {0.0005, 0.0015, 0.0045};

static void measured_change(const Stack *s, uint64_t seed) {
    measure_and_scale(s, seed);
}

static void tied_and_measured(const Stack *s, uint64_t seed) {
    tie(s, seed);
    measure_and_scale(s, seed);
}

static Run run_of(size_t kind, size_t way) {
    RunChange *const changes[KINDS][2] = {{NULL, measured_change},
                                          {tie, tied_and_measured}};
    const float factors[WAYS] = {1 / sqrtf(DEEP), 1.0f / DEEP, 1};
    return (Run){.scheme = &schemes[PLAIN],
                 .depth = DEEP,
                 .change = changes[kind][way == MEASURED],
                 .branch_scale = factors[way]};
}

/* The mean of the last losses at the best of the rates. */
static double ending(Csv *csv, size_t kind, size_t way, const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    Run run = run_of(kind, way);
    double best = INFINITY, rate = NAN, low = NAN, high = NAN;
    run.steps = settings->quick ? STEPS / 10 : STEPS;
    for (size_t r = 0; r < RATES; r++) {
        double loss[RUN_SEEDS], sum = 0;
        run.rate = rates[r];
        for (size_t k = 0; k < seeds; k++) {
            run.seed = settings->seed + k;
            sum += loss[k] = run_train(&run);
        }
        if (sum / (double)seeds >= best) continue;
        best = sum / (double)seeds;
        rate = run.rate;
        low = quantile(loss, seeds, 0);
        high = quantile(loss, seeds, 1);
    }
    csv_row(csv, "%s,%s,%d,%g,%.6g,%.6g,%.6g", kind_names[kind], way_names[way], DEEP,
            rate, best, low, high);
    printf("  %-12s %-9s %.4g (%.4g to %.4g) at %g\n", kind_names[kind], way_names[way],
           best, low, high, rate);
    return best;
}

void experiment_measured_scales(const Settings *settings) {
    double loss[KINDS][WAYS], guess = teacher_guess_loss(WIDTH, CLASSES);
    sizes(settings);
    Csv csv = csv_begin(settings->out, "measured-training",
                        "kind,scale,layers,rate,mean,low,high");
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (size_t way = 0; way < WAYS; way++)
            loss[kind][way] = ending(&csv, kind, way, settings);
    }
    csv_commit(&csv);
    claim(loss[TIED][FIXED] > guess,
          "64 layers that go along, 1/sqrt N: %.3g, above guessing (%.3f)",
          loss[TIED][FIXED], guess);
    claim(loss[TIED][MEASURED] < guess - 0.5,
          "measured: %.3f, more than 0.5 below guessing", loss[TIED][MEASURED]);
}
