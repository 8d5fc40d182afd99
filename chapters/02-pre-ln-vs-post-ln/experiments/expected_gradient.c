/* Every layer's gradient at initialization, by how many inputs are averaged before the
 * norm is taken. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/untrained.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

enum {
    LAYERS = 12,
    GROUPS = 3,
    ONE = 0,
    EXPECTED = GROUPS - 1,
    MAX_SEED_ROWS = MAX_SEEDS + 1
};

/* norms[l] of the second weight of layer l + 1, when gradients are averaged over
 * `group` inputs before the norm is taken: the root mean square over inputs / group
 * such groups. */
static void group_norms(double norms[LAYERS], Placement placement, size_t inputs,
                        size_t group, uint64_t seed) {
    Untrained u = untrained_create(placement, LAYERS, seed);
    double groups = (double)(inputs / group);
    for (size_t l = 0; l < LAYERS; l++) norms[l] = 0;
    for (size_t i = 1; i <= inputs; i++) {
        untrained_backward(&u); /* adds to the gradients */
        if (i % group) continue;
        for (size_t l = 0; l < LAYERS; l++) {
            double norm = tensor_grad_norm(u.stack.mlps[l].down.weight) / (double)group;
            norms[l] += norm * norm / groups;
        }
        params_zero_grad(&u.params);
    }
    for (size_t l = 0; l < LAYERS; l++) norms[l] = sqrt(norms[l]);
    untrained_free(&u);
}

/* by[k][g][l] of seed k and the g-th size of group; their geometric mean over the seeds
 * in by[seeds]. */
typedef double ByLayer[MAX_SEED_ROWS][GROUPS][LAYERS];

static void measure_layers(ByLayer by, Placement placement, const Settings *settings,
                           size_t seeds, const size_t *groups) {
    for (size_t g = 0; g < GROUPS; g++) {
        for (size_t k = 0; k < seeds; k++) {
            group_norms(by[k][g], placement, groups[EXPECTED], groups[g],
                        settings->seed + k);
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

/* The number of seeds in which the expected gradient of the last layer is larger than
 * that of the first. */
static size_t seeds_that_rise(ByLayer by, size_t seeds) {
    size_t n = 0;
    for (size_t k = 0; k < seeds; k++)
        n += by[k][EXPECTED][LAYERS - 1] > by[k][EXPECTED][0];
    return n;
}

/* Theory for one input: post-LN level, pre-LN as 1/sqrt(1 + l). The factor is fitted to
 * the mean. */
static double layer_theory(Placement placement, const double mean[LAYERS], size_t l) {
    double level[LAYERS];
    for (size_t i = 0; i < LAYERS; i++)
        level[i] = mean[i] * (placement == PRE_LN ? sqrt((double)i + 2) : 1);
    return geometric_mean(level, LAYERS) /
           (placement == PRE_LN ? sqrt((double)l + 2) : 1);
}

static void write_layers(Csv *csv, Placement placement, ByLayer by, size_t seeds) {
    for (size_t k = 0; k <= seeds; k++) {
        char seed[24] = "mean", theory[24] = "";
        if (k < seeds) snprintf(seed, sizeof seed, "%zu", k + 1);
        for (size_t l = 0; l < LAYERS; l++) {
            if (k == seeds)
                snprintf(theory, sizeof theory, "%.6g",
                         layer_theory(placement, by[k][ONE], l));
            csv_row(csv, "%s,%s,%zu,%.6g,%.6g,%.6g,%s", placement_name(placement), seed,
                    l + 1, by[k][0][l], by[k][1][l], by[k][2][l], theory);
        }
    }
}

void experiment_expected_gradient(const Settings *settings) {
    static ByLayer post, pre;
    size_t seeds = settings->quick ? 3 : 6;
    const size_t groups[GROUPS] = {1, setup.batch,
                                   setup.batch * (settings->quick ? 16 : 64)};
    measure_layers(post, POST_LN, settings, seeds, groups);
    measure_layers(pre, PRE_LN, settings, seeds, groups);
    Csv csv = csv_begin(settings->out, "expected-gradient",
                        "placement,seed,layer,one,batch,expected,theory");
    write_layers(&csv, POST_LN, post, seeds);
    write_layers(&csv, PRE_LN, pre, seeds);
    csv_commit(&csv);

    printf("  exponent of the gradient norm in 1 + l, l = 1 to %d, mean of %zu seeds\n",
           LAYERS, seeds);
    printf("  averaged before the norm  %8zu %8zu %8zu inputs\n", groups[0], groups[1],
           groups[2]);
    for (size_t p = 0; p < PLACEMENTS; p++) {
        printf("  %-25s", placement_name(placements[p]));
        for (size_t g = 0; g < GROUPS; g++)
            printf(" %8.2f", layer_exponent((p ? pre : post)[seeds][g]));
        putchar('\n');
    }
    double post_one = layer_exponent(post[seeds][ONE]),
           pre_one = layer_exponent(pre[seeds][ONE]);
    double post_expected = layer_exponent(post[seeds][EXPECTED]);
    double pre_expected = layer_exponent(pre[seeds][EXPECTED]);
    claim(fabs(post_one) < 0.2, "post-LN, one input: exponent %.2f, within +-0.2 of 0",
          post_one);
    claim(fabs(pre_one + 0.5) < 0.2,
          "pre-LN, one input: exponent %.2f, within +-0.2 of -1/2", pre_one);
    claim(post_expected > 0.4, "post-LN, expected: exponent %.2f, above 0.4",
          post_expected);
    claim(seeds_that_rise(post, seeds) == seeds,
          "  the last layer's is larger than the first one's in %zu of %zu seeds",
          seeds_that_rise(post, seeds), seeds);
    claim(fabs(pre_expected) < 0.35,
          "pre-LN, expected: exponent %.2f, within +-0.35 of level", pre_expected);
}
