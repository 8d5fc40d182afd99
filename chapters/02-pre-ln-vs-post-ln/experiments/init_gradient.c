/* The last layer's gradient at initialization against depth. */
#include <math.h>
#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/untrained.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

static const size_t depths[] = {6, 12, 24, 48};
enum { DEPTHS = 4, INPUTS = 64 };

/* The root mean square over INPUTS inputs of the gradient norm of the last sublayer's
 * second weight. One input at a time: behind a deep stack inputs look alike, and the
 * gradient of a batch also tells how much. */
static double last_gradient(Placement placement, size_t depth, uint64_t seed) {
    Untrained u = untrained_create(placement, depth, seed);
    double sum = 0;
    for (size_t i = 0; i < INPUTS; i++) {
        params_zero_grad(&u.params);
        untrained_backward(&u, NULL);
        double norm = tensor_grad_norm(u.stack.mlps[depth - 1].down.weight);
        sum += norm * norm / INPUTS;
    }
    untrained_free(&u);
    return sqrt(sum);
}

/* norms[i][k] at depths[i] from seed k, the geometric mean over the seeds, and the
 * exponents in the depth. */
typedef struct {
    double norms[DEPTHS][MAX_SEEDS], mean[DEPTHS];
    double slope, low, high; /* of the mean; the smallest and the largest of one seed */
} ByDepth;

static double depth_exponent(const double *norms) {
    double x[DEPTHS];
    for (size_t i = 0; i < DEPTHS; i++) x[i] = (double)depths[i];
    return fit_exponent(x, norms, DEPTHS);
}

static ByDepth measure_depths(Placement placement, const Settings *settings,
                              size_t seeds) {
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

/* Theory: post-LN constant; pre-LN as 1/sqrt(1 + L), since the final norm divides by
 * the size of the stream. One free factor each. */
static double in_theory(const ByDepth *by, Placement placement, double depth) {
    double factor[DEPTHS];
    for (size_t i = 0; i < DEPTHS; i++) {
        factor[i] =
            by->mean[i] * (placement == PRE_LN ? sqrt(1.0 + (double)depths[i]) : 1);
    }
    return geometric_mean(factor, DEPTHS) / (placement == PRE_LN ? sqrt(1 + depth) : 1);
}

void experiment_init_gradient(const Settings *settings) {
    size_t seeds = settings->quick ? 3 : MAX_SEEDS;
    ByDepth by[PLACEMENTS];
    Csv csv =
        csv_begin(settings->out, "init-gradient", "placement,seed,depth,norm,theory");
    for (size_t p = 0; p < PLACEMENTS; p++) {
        by[p] = measure_depths(placements[p], settings, seeds);
        const char *name = placement_name(placements[p]);
        for (size_t k = 0; k < seeds; k++) {
            for (size_t i = 0; i < DEPTHS; i++) {
                csv_row(&csv, "%s,%zu,%zu,%.6g,", name, k + 1, depths[i],
                        by[p].norms[i][k]);
            }
        }
        for (size_t i = 0; i < DEPTHS; i++) {
            csv_row(&csv, "%s,mean,%zu,%.6g,%.6g", name, depths[i], by[p].mean[i],
                    in_theory(&by[p], placements[p], (double)depths[i]));
        }
    }
    csv_commit(&csv);
    claim(fabs(by[0].slope) < 0.15,
          "post-LN: slope %.2f of log gradient norm against log depth (one seed: %.2f "
          "to %.2f), within +-0.15",
          by[0].slope, by[0].low, by[0].high);
    claim(by[1].slope > -0.7 && by[1].slope < -0.4,
          "pre-LN: slope %.2f (one seed: %.2f to %.2f), between -0.7 and -0.4",
          by[1].slope, by[1].low, by[1].high);
}

void show_gradients(const Settings *settings) {
    printf("\nGradient norm of the last sublayer's second weight, at "
           "initialization:\n\n%-8s",
           "depth");
    for (size_t i = 0; i < DEPTHS; i++) printf(" %8zu", depths[i]);
    printf(" %8s\n", "slope");
    for (size_t p = 0; p < PLACEMENTS; p++) {
        ByDepth by = measure_depths(placements[p], settings, 4);
        printf("%-8s", placement_name(placements[p]));
        for (size_t i = 0; i < DEPTHS; i++) printf(" %8.3f", by.mean[i]);
        printf(" %8.2f\n", by.slope);
    }
}
