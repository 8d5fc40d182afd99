/* Chapter 05's program: the size of the residual stream by depth, for seven ways to join; dropout in numbers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "02-pre-ln-vs-post-ln/stack.h"
#include "05-residual-blocks/dropout.h"
#include "05-residual-blocks/join.h"
#include "05-residual-blocks/residual_init.h"
#include "claim.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "fmath.h"
#include "memory.h"
#include "program.h"

/* --- ways to build the same stack --- */

//> schemes
typedef struct {
    const char *name, *formula;
    ResidualKind kind;
    bool normalized;
    Placement placement;
    bool scaled; /* output projections by residual_init_std */
} Scheme;

enum { NONE, PLAIN, PLAIN_SCALED, POST, PRE, PRE_SCALED, REZERO, SCHEMES };

static const Scheme schemes[SCHEMES] = {
    [NONE] = {"none", "F(x)", RESIDUAL_NONE, false, POST_LN, false},
    [PLAIN] = {"plain", "x + F(x)", RESIDUAL_PLAIN, false, POST_LN, false},
    [PLAIN_SCALED] = {"plain/rN", "x + F(x) / sqrt N", RESIDUAL_PLAIN, false, POST_LN, true},
    [POST] = {"post-LN", "norm(x + F(x))", RESIDUAL_PLAIN, true, POST_LN, false},
    [PRE] = {"pre-LN", "x + F(norm x)", RESIDUAL_PLAIN, true, PRE_LN, false},
    [PRE_SCALED] = {"pre-LN/rN", "x + F(norm x) / sqrt N: GPT-2", RESIDUAL_PLAIN, true, PRE_LN, true},
    [REZERO] = {"rezero", "x + alpha F(x), alpha = 0", RESIDUAL_REZERO, false, POST_LN, false},
};
//< schemes

enum { D_MODEL = 64, D_HIDDEN = 256, ROWS = 32, MAX_DEPTH = 512 };

typedef struct {
    Params params;
    Stack stack;
    ResidualJoin *joins; /* [depth] */
} Network;

/* The same seed gives the same weights in every scheme; `scaled` makes those of the output projections
 * smaller. Two sublayers count as one block. */
static Network network_create(const Scheme *s, uint64_t seed, size_t depth) {
    Network n = {.params = {.mode = PARAMS_INFER}, .joins = checked_alloc(depth, sizeof(ResidualJoin))};
    Random init = random_stream(seed, 0);
    n.stack = stack_create(&n.params, &init,
                           (StackConfig){.d_model = D_MODEL,
                                         .d_hidden = D_HIDDEN,
                                         .depth = depth,
                                         .placement = s->placement,
                                         .without_norms = !s->normalized});
    float factor = s->scaled ? residual_init_std(1.0f, depth / 2) : 1.0f;
    for (size_t l = 0; l < depth; l++) {
        char name[32];
        snprintf(name, sizeof name, "h.%zu", l);
        n.joins[l] = residual_join_create(&n.params, s->kind, D_MODEL, name);
        n.stack.residuals[l].join = residual_join(&n.joins[l]);
        Tensor *w = n.stack.mlps[l].down.weight;
        for (size_t i = 0; i < tensor_size(w); i++) w->data[i] *= factor;
    }
    return n;
}

static void network_free(Network *n) {
    stack_free(&n->stack);
    params_free(&n->params);
    free(n->joins);
}

/* |x|^2 / d, the mean over the rows. */
static double mean_square(const Tensor *x) {
    double sum = 0;
    size_t n = tensor_size(x);
    for (size_t i = 0; i < n; i++) sum += (double)x->data[i] * (double)x->data[i];
    return sum / (double)n;
}

/* size[l] = |x_l|^2 / d for l = 0 (the input, N(0, 1)) to depth. */
static void measure(double *size, const Scheme *s, uint64_t seed, size_t depth) {
    Network n = network_create(s, seed, depth);
    Random data = random_stream(seed, 1);
    Tensor **stream = checked_alloc(depth + 1, sizeof(Tensor *));
    Tape t = tape_create(seed);
    t.recording = false;
    Tensor *x = tape_output(&t, 2, (size_t[]){ROWS, D_MODEL}, false);
    random_fill_normal(&data, x->data, ROWS * D_MODEL, 1.0f);
    stack_with_stream(&t, &n.stack, x, stream);
    for (size_t l = 0; l <= depth; l++) size[l] = mean_square(stream[l]);
    tape_free(&t);
    free(stream);
    network_free(&n);
}

/* --- demo --- */

static size_t depth_option = 32;

static void print_size(double size) {
    if (isfinite(size)) {
        printf(size < 1e4 ? " %10.3f" : " %10.1e", size);
    } else {
        printf(" %10s", "overflow");
    }
}

static void demo_variance(const Settings *settings) {
    size_t depth = depth_option;
    if (depth % 2) die_usage("--depth %zu: expected an even number, two sublayers a block", depth);
    printf("|x_l|^2 / d by depth; %d rows of N(0, 1), d = %d, %zu sublayers, N = %zu\n\n", ROWS, D_MODEL,
           depth, depth);
    for (size_t s = 0; s < SCHEMES; s++) printf("  %-10s %s\n", schemes[s].name, schemes[s].formula);
    printf("\n%5s", "l");
    for (size_t s = 0; s < SCHEMES; s++) printf(" %10s", schemes[s].name);
    printf("\n");
    double *size = checked_alloc(SCHEMES * (depth + 1), sizeof *size);
    for (size_t s = 0; s < SCHEMES; s++) measure(size + s * (depth + 1), &schemes[s], settings->seed, depth);
    for (size_t l = 0; l <= depth; l = l == 0 ? 1 : l < depth && 2 * l > depth ? depth : 2 * l) {
        printf("%5zu", l);
        for (size_t s = 0; s < SCHEMES; s++) print_size(size[s * (depth + 1) + l]);
        printf("\n");
    }
    free(size);
}

static void demo_dropout(const Settings *settings) {
    enum { N = 100000 };
    float *x = checked_alloc(N, sizeof *x);
    printf("\nDropout of %d ones\n\n%6s %10s %10s %12s %12s\n", N, "p", "dropped", "mean", "mean square",
           "1 / (1 - p)");
    const float ps[] = {0.0f, 0.1f, 0.5f, 0.9f};
    for (size_t k = 0; k < sizeof ps / sizeof *ps; k++) {
        Random random = random_stream(settings->seed, 2);
        for (size_t i = 0; i < N; i++) x[i] = 1.0f;
        dropout_forward(x, x, N, ps[k], &random);
        double dropped = 0, sum = 0, squares = 0;
        for (size_t i = 0; i < N; i++) {
            dropped += x[i] == 0.0f;
            sum += (double)x[i];
            squares += (double)x[i] * (double)x[i];
        }
        printf("%6.1f %10.4f %10.4f %12.4f %12.4f\n", (double)ps[k], dropped / N, sum / N, squares / N,
               1 / (1 - (double)ps[k]));
    }
    free(x);
}

static void demo(const Settings *settings) {
    demo_variance(settings);
    demo_dropout(settings);
}

/* --- experiments --- */

/* Geometric means over seeds: the arithmetic mean of a product of random factors is decided by few seeds. */
static void measure_mean(double *size, const Scheme *s, const Settings *settings, size_t depth) {
    size_t n_seeds = settings->quick ? 2 : 10, n = depth + 1;
    double *all = checked_alloc(n * n_seeds, sizeof *all), *one = checked_alloc(n, sizeof *one);
    for (size_t k = 0; k < n_seeds; k++) {
        measure(one, s, settings->seed + k, depth);
        for (size_t i = 0; i < n; i++) all[i * n_seeds + k] = one[i];
    }
    for (size_t i = 0; i < n; i++) size[i] = geometric_mean(all + i * n_seeds, n_seeds);
    free(all);
    free(one);
}

static void variance_by_depth(const Settings *settings) {
    enum { DEPTH = 32 };
    static double size[SCHEMES][DEPTH + 1];
    for (size_t s = 0; s < SCHEMES; s++) measure_mean(size[s], &schemes[s], settings, DEPTH);
    Csv csv = csv_begin(settings->out, "05-variance-by-depth",
                        "l,none,plain,plain_scaled,post_ln,pre_ln,pre_ln_scaled,rezero");
    double l_axis[DEPTH + 1], log2_plain[DEPTH + 1];
    for (size_t l = 0; l <= DEPTH; l++) {
        csv_row(&csv, "%zu,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", l, size[NONE][l], size[PLAIN][l],
                size[PLAIN_SCALED][l], size[POST][l], size[PRE][l], size[PRE_SCALED][l], size[REZERO][l]);
        l_axis[l] = (double)l;
        log2_plain[l] = log_double(size[PLAIN][l]) / log_double(2.0);
    }
    csv_commit(&csv);
    double doublings = fit_slope(l_axis, log2_plain, DEPTH + 1);
    double growth = fit_slope(l_axis, size[PRE], DEPTH + 1);
    claim(fabs(doublings - 1) < 0.1, "x + F(x): log2 |x_l|^2/d grows by %.3f a sublayer, expected 1 (2^l)",
          doublings);
    claim(fabs(growth - 1) < 0.1, "x + F(norm x): |x_l|^2/d grows by %.3f a sublayer, expected 1 (l + 1)",
          growth);
    claim(fabs(size[PLAIN_SCALED][DEPTH] - 2.68) < 0.3,
          "x + F(x) / sqrt N: %.2f at l = N = %d, expected (1 + 1/N)^N = 2.68", size[PLAIN_SCALED][DEPTH],
          DEPTH);
    claim(fabs(size[PRE_SCALED][DEPTH] - 2) < 0.2, "x + F(norm x) / sqrt N: %.2f at l = N, expected 2",
          size[PRE_SCALED][DEPTH]);
    claim(size[REZERO][DEPTH] == size[REZERO][0], "ReZero with alpha = 0 passes x on: %.3f at both ends",
          size[REZERO][DEPTH]);
}

static void residual_init(const Settings *settings) {
    const size_t depths[] = {6, 12, 24, 48, 96};
    enum { DEPTHS = sizeof depths / sizeof *depths };
    double n_plus_1[DEPTHS], unscaled[DEPTHS], scaled[DEPTHS], low = INFINITY, high = 0;
    Csv csv = csv_begin(settings->out, "05-residual-init", "n,unscaled,scaled");
    for (size_t i = 0; i < DEPTHS; i++) {
        double size[MAX_DEPTH + 1];
        n_plus_1[i] = (double)(depths[i] + 1);
        measure_mean(size, &schemes[PRE], settings, depths[i]);
        unscaled[i] = size[depths[i]];
        measure_mean(size, &schemes[PRE_SCALED], settings, depths[i]);
        scaled[i] = size[depths[i]];
        low = smaller(low, scaled[i]), high = larger(high, scaled[i]);
        csv_row(&csv, "%zu,%.6g,%.6g", depths[i], unscaled[i], scaled[i]);
    }
    csv_commit(&csv);
    double exponent = fit_exponent(n_plus_1, unscaled, DEPTHS);
    claim(fabs(exponent - 1) < 0.1, "unscaled: |x_N|^2/d grows as (N + 1)^%.2f, expected (N + 1)^1",
          exponent);
    claim(high / low < 1.15,
          "scaled by 1/sqrt N: |x_N|^2/d from %.2f to %.2f over N = %zu to %zu, flat within 15 %%", low, high,
          depths[0], depths[DEPTHS - 1]);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"depth", OPTION_SIZE, &depth_option, "residual sublayers, an even number", 2, MAX_DEPTH}, {0}};
    static const Experiment experiments[] = {
        {"variance-by-depth", "the size of the stream behind each sublayer", variance_by_depth},
        {"residual-init", "the size of the stream at the end, with and without GPT-2's scaling",
         residual_init},
        {0}};
    return program_run(argc, argv,
                       &(Program){.name = "05-residual-blocks",
                                  .summary = "what a residual connection does to the size of the stream",
                                  .example = "--depth 256",
                                  .options = options,
                                  .experiments = experiments,
                                  .demo = demo});
}
