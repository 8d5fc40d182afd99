/* Gradients and stream at initialization: see initialization.h. */
#include "02-pre-ln-vs-post-ln/initialization.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "02-pre-ln-vs-post-ln/setup.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"
#include "memory.h"

/* --- an untrained network and the task's data --- */

typedef struct {
    Params params;
    Stack stack;
    Teacher teacher;
    Random data;
    Tape tape;
    float *x; /* [d_model] */
} Untrained;

static Untrained untrained_create(Placement placement, size_t depth, uint64_t seed) {
    Untrained u = {.params = {.mode = PARAMS_TRAIN}, .data = random_stream(seed, 2)};
    Random init = random_stream(seed, 1);
    u.stack = stack_create(&u.params, &init, setup_stack(placement, depth));
    u.teacher = trial_teacher(setup.width, CLASSES);
    u.tape = tape_create(seed);
    u.x = checked_alloc(setup.width, sizeof *u.x);
    return u;
}

/* Adds the gradients of the loss of one new input, and leaves its stream in stream [depth + 1]. */
static void untrained_backward(Untrained *u, Tensor **stream) {
    int target;
    teacher_batch(&u->teacher, &u->data, u->x, &target, 1);
    tape_reset(&u->tape);
    Tensor *x = tape_input(&u->tape, 2, (size_t[]){1, setup.width}, u->x);
    tape_backward(&u->tape,
                  cross_entropy(&u->tape, stack_with_stream(&u->tape, &u->stack, x, stream), &target));
}

static void untrained_free(Untrained *u) {
    free(u->x);
    tape_free(&u->tape);
    teacher_free(&u->teacher);
    stack_free(&u->stack);
    params_free(&u->params);
}

static double square(double x) {
    return x * x;
}

/* --- the last layer, by depth --- */

static const size_t depths[] = {6, 12, 24, 48};
enum { DEPTHS = 4, INPUTS = 64 };

/* The root mean square over INPUTS inputs of the gradient norm of the last sublayer's second weight. One
 * input at a time: behind a deep stack inputs look alike, and the gradient of a batch also tells how much. */
static double last_gradient(Placement placement, size_t depth, uint64_t seed) {
    Untrained u = untrained_create(placement, depth, seed);
    double sum = 0;
    for (size_t i = 0; i < INPUTS; i++) {
        params_zero_grad(&u.params);
        untrained_backward(&u, NULL);
        sum += square(tensor_grad_norm(u.stack.mlps[depth - 1].down.weight)) / INPUTS;
    }
    untrained_free(&u);
    return sqrt(sum);
}

/* norms[i][k] at depths[i] from seed k, the geometric mean over the seeds, and the exponents in the depth. */
typedef struct {
    double norms[DEPTHS][MAX_SEEDS], mean[DEPTHS];
    double slope, low, high; /* of the mean; the smallest and the largest of one seed */
} ByDepth;

static double depth_exponent(const double *norms) {
    double x[DEPTHS];
    for (size_t i = 0; i < DEPTHS; i++) x[i] = (double)depths[i];
    return fit_exponent(x, norms, DEPTHS);
}

static ByDepth measure_depths(Placement placement, const Settings *settings, size_t seeds) {
    ByDepth by = {.low = INFINITY, .high = -INFINITY};
    for (size_t i = 0; i < DEPTHS; i++) {
        for (size_t k = 0; k < seeds; k++) {
            by.norms[i][k] = last_gradient(placement, depths[i], settings->seed + k);
        }
        by.mean[i] = geometric_mean(by.norms[i], seeds);
    }
    by.slope = depth_exponent(by.mean);
    for (size_t k = 0; k < seeds; k++) {
        double one[DEPTHS];
        for (size_t i = 0; i < DEPTHS; i++) one[i] = by.norms[i][k];
        by.low = smaller(by.low, depth_exponent(one));
        by.high = larger(by.high, depth_exponent(one));
    }
    return by;
}

/* Theory: post-LN constant; pre-LN as 1/sqrt(1 + L), since the final norm divides by the size of the stream.
 * One free factor each. */
static double in_theory(const ByDepth *by, Placement placement, double depth) {
    double factor[DEPTHS];
    for (size_t i = 0; i < DEPTHS; i++) {
        factor[i] = by->mean[i] * (placement == PRE_LN ? sqrt(1.0 + (double)depths[i]) : 1);
    }
    return geometric_mean(factor, DEPTHS) / (placement == PRE_LN ? sqrt(1 + depth) : 1);
}

void init_gradient(const Settings *settings) {
    size_t seeds = settings->quick ? 3 : MAX_SEEDS;
    ByDepth by[PLACEMENTS];
    Csv csv = csv_begin(settings->out, "02-init-gradient", "placement,seed,depth,norm,theory");
    for (size_t p = 0; p < PLACEMENTS; p++) {
        by[p] = measure_depths(placements[p], settings, seeds);
        const char *name = placement_name(placements[p]);
        for (size_t k = 0; k < seeds; k++) {
            for (size_t i = 0; i < DEPTHS; i++) {
                csv_row(&csv, "%s,%zu,%zu,%.6g,", name, k + 1, depths[i], by[p].norms[i][k]);
            }
        }
        for (size_t i = 0; i < DEPTHS; i++) {
            csv_row(&csv, "%s,mean,%zu,%.6g,%.6g", name, depths[i], by[p].mean[i],
                    in_theory(&by[p], placements[p], (double)depths[i]));
        }
    }
    csv_commit(&csv);
    claim(
        fabs(by[0].slope) < 0.15,
        "post-LN: slope %.2f of log gradient norm against log depth (one seed: %.2f to %.2f), within +-0.15",
        by[0].slope, by[0].low, by[0].high);
    claim(by[1].slope > -0.7 && by[1].slope < -0.4,
          "pre-LN: slope %.2f (one seed: %.2f to %.2f), between -0.7 and -0.4", by[1].slope, by[1].low,
          by[1].high);
}

/* --- every layer, by how many inputs are averaged before the norm --- */

enum { LAYERS = 12, GROUPS = 3, ONE = 0, EXPECTED = GROUPS - 1, MAX_SEED_ROWS = MAX_SEEDS + 1 };

/* norms[l] of the second weight of layer l + 1, when gradients are averaged over `group` inputs before the
 * norm is taken: the root mean square over inputs / group such groups. */
//> group_norms
static void group_norms(double norms[LAYERS], Placement placement, size_t inputs, size_t group,
                        uint64_t seed) {
    Untrained u = untrained_create(placement, LAYERS, seed);
    double groups = (double)(inputs / group);
    for (size_t l = 0; l < LAYERS; l++) norms[l] = 0;
    for (size_t i = 1; i <= inputs; i++) {
        untrained_backward(&u, NULL); /* adds to the gradients */
        if (i % group) continue;
        for (size_t l = 0; l < LAYERS; l++) {
            norms[l] += square(tensor_grad_norm(u.stack.mlps[l].down.weight) / (double)group) / groups;
        }
        params_zero_grad(&u.params);
    }
    for (size_t l = 0; l < LAYERS; l++) norms[l] = sqrt(norms[l]);
    untrained_free(&u);
}
//< group_norms

/* by[k][g][l] of seed k and the g-th size of group; their geometric mean over the seeds in by[seeds]. */
typedef double ByLayer[MAX_SEED_ROWS][GROUPS][LAYERS];

static void measure_layers(ByLayer by, Placement placement, const Settings *settings, size_t seeds,
                           const size_t *groups) {
    for (size_t g = 0; g < GROUPS; g++) {
        for (size_t k = 0; k < seeds; k++) {
            group_norms(by[k][g], placement, groups[EXPECTED], groups[g], settings->seed + k);
        }
        for (size_t l = 0; l < LAYERS; l++) {
            double norms[MAX_SEEDS];
            for (size_t k = 0; k < seeds; k++) norms[k] = by[k][g][l];
            by[seeds][g][l] = geometric_mean(norms, seeds);
        }
    }
}

/* The exponent k of norm = c (1 + l)^k, l = 1 .. LAYERS. */
static double layer_exponent(const double norms[LAYERS]) {
    double x[LAYERS];
    for (size_t l = 0; l < LAYERS; l++) x[l] = (double)l + 2;
    return fit_exponent(x, norms, LAYERS);
}

/* In how many seeds the expected gradient of the last layer is larger than that of the first. */
static size_t seeds_that_rise(ByLayer by, size_t seeds) {
    size_t n = 0;
    for (size_t k = 0; k < seeds; k++) n += by[k][EXPECTED][LAYERS - 1] > by[k][EXPECTED][0];
    return n;
}

/* Theory for one input: post-LN level, pre-LN as 1/sqrt(1 + l). The factor is fitted to the mean. */
static double layer_theory(Placement placement, const double mean[LAYERS], size_t l) {
    double level[LAYERS];
    for (size_t i = 0; i < LAYERS; i++) level[i] = mean[i] * (placement == PRE_LN ? sqrt((double)i + 2) : 1);
    return geometric_mean(level, LAYERS) / (placement == PRE_LN ? sqrt((double)l + 2) : 1);
}

static void write_layers(Csv *csv, Placement placement, ByLayer by, size_t seeds) {
    for (size_t k = 0; k <= seeds; k++) {
        char seed[24] = "mean", theory[24] = "";
        if (k < seeds) snprintf(seed, sizeof seed, "%zu", k + 1);
        for (size_t l = 0; l < LAYERS; l++) {
            if (k == seeds) snprintf(theory, sizeof theory, "%.6g", layer_theory(placement, by[k][ONE], l));
            csv_row(csv, "%s,%s,%zu,%.6g,%.6g,%.6g,%s", placement_name(placement), seed, l + 1, by[k][0][l],
                    by[k][1][l], by[k][2][l], theory);
        }
    }
}

void expected_gradient(const Settings *settings) {
    static ByLayer post, pre;
    size_t seeds = settings->quick ? 3 : 6;
    const size_t groups[GROUPS] = {1, setup.batch, setup.batch * (settings->quick ? 16 : 64)};
    measure_layers(post, POST_LN, settings, seeds, groups);
    measure_layers(pre, PRE_LN, settings, seeds, groups);
    Csv csv =
        csv_begin(settings->out, "02-expected-gradient", "placement,seed,layer,one,batch,expected,theory");
    write_layers(&csv, POST_LN, post, seeds);
    write_layers(&csv, PRE_LN, pre, seeds);
    csv_commit(&csv);

    printf("  exponent of the gradient norm in 1 + l, l = 1 to %d, mean of %zu seeds\n", LAYERS, seeds);
    printf("  averaged before the norm  %8zu %8zu %8zu inputs\n", groups[0], groups[1], groups[2]);
    for (size_t p = 0; p < PLACEMENTS; p++) {
        printf("  %-25s", placement_name(placements[p]));
        for (size_t g = 0; g < GROUPS; g++) printf(" %8.2f", layer_exponent((p ? pre : post)[seeds][g]));
        putchar('\n');
    }
    double post_one = layer_exponent(post[seeds][ONE]), pre_one = layer_exponent(pre[seeds][ONE]);
    double post_expected = layer_exponent(post[seeds][EXPECTED]);
    double pre_expected = layer_exponent(pre[seeds][EXPECTED]);
    claim(fabs(post_one) < 0.2, "post-LN, one input: exponent %.2f, within +-0.2 of 0", post_one);
    claim(fabs(pre_one + 0.5) < 0.2, "pre-LN, one input: exponent %.2f, within +-0.2 of -1/2", pre_one);
    claim(post_expected > 0.4, "post-LN, expected: exponent %.2f, above 0.4", post_expected);
    claim(seeds_that_rise(post, seeds) == seeds,
          "  the last layer's is larger than the first one's in %zu of %zu seeds",
          seeds_that_rise(post, seeds), seeds);
    claim(fabs(pre_expected) < 0.35, "pre-LN, expected: exponent %.2f, within +-0.35 of level", pre_expected);
}

/* --- the stream, by layer --- */

enum { STREAM_LAYERS = 24 };

/* |x_l|^2 / d, l = 0 .. STREAM_LAYERS, the mean over INPUTS inputs. */
static void measure_stream(double *mean, Placement placement, uint64_t seed) {
    Untrained u = untrained_create(placement, STREAM_LAYERS, seed);
    for (size_t l = 0; l <= STREAM_LAYERS; l++) mean[l] = 0;
    for (size_t r = 0; r < INPUTS; r++) {
        Tensor *stream[STREAM_LAYERS + 1];
        untrained_backward(&u, stream);
        for (size_t l = 0; l <= STREAM_LAYERS; l++) {
            for (size_t i = 0; i < setup.width; i++) {
                mean[l] += square((double)stream[l]->data[i]) / (double)(setup.width * INPUTS);
            }
        }
    }
    untrained_free(&u);
}

/* by[k] of seed k, their mean in by[seeds]. */
static void measure_streams(double by[MAX_SEED_ROWS][STREAM_LAYERS + 1], Placement placement,
                            const Settings *settings, size_t seeds) {
    for (size_t l = 0; l <= STREAM_LAYERS; l++) by[seeds][l] = 0;
    for (size_t k = 0; k < seeds; k++) {
        measure_stream(by[k], placement, settings->seed + k);
        for (size_t l = 0; l <= STREAM_LAYERS; l++) by[seeds][l] += by[k][l] / (double)seeds;
    }
}

void stream_size(const Settings *settings) {
    double by[PLACEMENTS][MAX_SEED_ROWS][STREAM_LAYERS + 1], layers[STREAM_LAYERS + 1];
    size_t seeds = settings->quick ? 3 : 6, outside = 0;
    for (size_t p = 0; p < PLACEMENTS; p++) measure_streams(by[p], placements[p], settings, seeds);
    Csv csv = csv_begin(settings->out, "02-stream-size", "seed,layer,post,pre");
    for (size_t k = 0; k <= seeds; k++) {
        char seed[24] = "mean";
        if (k < seeds) snprintf(seed, sizeof seed, "%zu", k + 1);
        for (size_t l = 0; l <= STREAM_LAYERS; l++) {
            csv_row(&csv, "%s,%zu,%.6g,%.6g", seed, l, by[0][k][l], by[1][k][l]);
        }
    }
    csv_commit(&csv);
    double off = 0;
    for (size_t l = 1; l <= STREAM_LAYERS; l++) {
        double pre = by[1][seeds][l], x = (double)l, from_one = fabs(by[0][seeds][l] - 1);
        layers[l] = x;
        outside += pre < 1 + x / 2 || pre > 1 + 1.5 * x;
        if (from_one > off) off = from_one;
    }
    claim(off < 1e-3, "post-LN: |x_l|^2/d is 1 behind every layer, within %.1e", off);
    claim(outside == 0, "pre-LN: between 1 + l/2 and 1 + 3l/2 behind %zu of %d layers",
          STREAM_LAYERS - outside, STREAM_LAYERS);
    double slope = fit_slope(layers + 1, by[1][seeds] + 1, STREAM_LAYERS);
    claim(slope > 0.8 && slope < 1.2, "pre-LN: it grows by %.2f a layer, between 0.8 and 1.2", slope);
}

/* --- the demo's tables --- */

static void print_gradients(const Settings *settings) {
    printf("\nGradient norm of the last sublayer's second weight, at initialization:\n\n%-8s", "depth");
    for (size_t i = 0; i < DEPTHS; i++) printf(" %8zu", depths[i]);
    printf(" %8s\n", "slope");
    for (size_t p = 0; p < PLACEMENTS; p++) {
        ByDepth by = measure_depths(placements[p], settings, 4);
        printf("%-8s", placement_name(placements[p]));
        for (size_t i = 0; i < DEPTHS; i++) printf(" %8.3f", by.mean[i]);
        printf(" %8.2f\n", by.slope);
    }
}

static void print_stream(const Settings *settings) {
    static const size_t shown[] = {0, 1, 2, 4, 8, 16, 24};
    enum { SHOWN = sizeof shown / sizeof *shown, SEEDS = 4 };
    printf("\nMean square of the stream behind layer l, at initialization:\n\n%-8s", "layer");
    for (size_t i = 0; i < SHOWN; i++) printf(" %8zu", shown[i]);
    putchar('\n');
    for (size_t p = 0; p < PLACEMENTS; p++) {
        double by[MAX_SEED_ROWS][STREAM_LAYERS + 1];
        measure_streams(by, placements[p], settings, SEEDS);
        printf("%-8s", placement_name(placements[p]));
        for (size_t i = 0; i < SHOWN; i++) printf(" %8.2f", by[SEEDS][shown[i]]);
        putchar('\n');
    }
}

void print_initialization(const Settings *settings) {
    print_gradients(settings);
    print_stream(settings);
}
