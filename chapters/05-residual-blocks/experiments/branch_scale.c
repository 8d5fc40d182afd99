/* The size that a branch must have at its start: stacks without norms whose output
 * projections are drawn `scale` times as large as He et al. (2015) draw them, with a
 * residual connection at three depths, and without one. */
#include <math.h>
#include <stdio.h>

#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/runs.h"
#include "files/csv.h"
#include "math/fit.h"
#include "program/claim.h"
#include "program/progress.h"

enum { DEPTHS = 3, SUMS = 7, PRODUCTS = 5, RATES = 3, STEPS = 400, ALONE = 24 };

static const size_t depths[DEPTHS] = {4, 16, 64};
static const double rates[RATES] = {0.0005, 0.0015, 0.0045};

/* scale * sqrt(depth) of x + F(x); the last makes 64 layers the plain stack. */
static const double sums[SUMS] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
enum { AT_ONE = 3, AT_EIGHT = SUMS - 1 };

/* scale of F(x). */
static const double products[PRODUCTS] = {0.35, 0.7, 1, 1.4, 2};

/* The mean of the last losses at the best of the rates, and its lowest and highest
 * seed. */
typedef struct {
    double rate, mean, low, high;
} Ending;

static Ending train(Run run, const Settings *settings) {
    size_t seeds = settings->quick ? 1 : RUN_SEEDS;
    Ending e = {.rate = run.rate, .low = INFINITY, .high = -INFINITY};
    for (size_t k = 0; k < seeds; k++) {
        run.seed = settings->seed + k;
        double loss = run_train(&run);
        e.mean += loss / (double)seeds;
        e.low = smaller(e.low, loss);
        e.high = larger(e.high, loss);
    }
    return e;
}

static Ending measure(Csv *csv, const Scheme *scheme, size_t depth, double scale,
                      const Settings *settings) {
    Ending best = {.mean = INFINITY};
    for (size_t r = 0; r < RATES; r++) {
        Ending e = train((Run){.scheme = scheme,
                               .depth = depth,
                               .steps = settings->quick ? STEPS / 10 : STEPS,
                               .rate = rates[r],
                               .branch_scale = (float)scale},
                         settings);
        if (e.mean < best.mean) best = e;
    }
    csv_row(csv, "%s,%zu,%g,%g,%.6g,%.6g,%.6g", scheme->name, depth, scale, best.rate,
            best.mean, best.low, best.high);
    printf(" %9.4g", best.mean);
    return best;
}

static void claim_sums(const Ending table[DEPTHS][SUMS], double guess) {
    double worst = -INFINITY, lowest = INFINITY, gain = -INFINITY;
    for (size_t d = 0; d < DEPTHS; d++) {
        const Ending *e = table[d];
        for (size_t i = 0; i <= AT_ONE; i++) {
            worst = larger(worst, e[i].high);
            gain = larger(gain, e[AT_ONE].mean - e[i].mean);
        }
        lowest = smaller(lowest, e[AT_EIGHT].low);
    }
    claim(
        worst < guess - 0.5,
        "x + s F(x), s sqrt(N) at most 1: %.3f at worst, more than 0.5 below guessing",
        worst);
    claim(lowest > guess, "s sqrt(N) = 8: %.3f at best, above guessing (%.3f)", lowest,
          guess);
    claim(gain < 0.1, "a smaller s gains at most %.3f over 1/sqrt(N), less than 0.1",
          gain);
}

static void claim_products(const Ending alone[PRODUCTS], double guess) {
    claim(alone[0].high < guess - 0.1,
          "F(x), %d layers, s = %g: %.3f at worst, more than 0.1 below guessing", ALONE,
          products[0], alone[0].high);
    claim(alone[PRODUCTS - 1].low > guess, "F(x), s = %g: %.3f at best, above guessing",
          products[PRODUCTS - 1], alone[PRODUCTS - 1].low);
}

void experiment_branch_scale(const Settings *settings) {
    static Ending with[DEPTHS][SUMS], without[PRODUCTS];
    double guess = teacher_guess_loss(WIDTH, CLASSES);
    Csv csv = csv_begin(settings->out, "branch-scale",
                        "scheme,layers,scale,rate,mean,low,high");
    Progress progress = progress_begin("branch-scale", DEPTHS + 1);
    printf("  x + s F(x), the last loss by s sqrt(N)\n  %-10s", "");
    for (size_t i = 0; i < SUMS; i++) printf(" %9g", sums[i]);
    for (size_t d = 0; d < DEPTHS; d++) {
        printf("\n  N = %-6zu", depths[d]);
        for (size_t i = 0; i < SUMS; i++) {
            double scale = sums[i] / sqrt((double)depths[d]);
            with[d][i] = measure(&csv, &schemes[PLAIN], depths[d], scale, settings);
        }
        progress_update(&progress, d + 1, "x + s F(x), %zu layers", depths[d]);
    }
    printf("\n  F(x), the last loss by s\n  %-10s", "");
    for (size_t i = 0; i < PRODUCTS; i++) printf(" %9g", products[i]);
    printf("\n  N = %-6d", ALONE);
    for (size_t i = 0; i < PRODUCTS; i++)
        without[i] = measure(&csv, &schemes[NONE], ALONE, products[i], settings);
    putchar('\n');
    progress_end(&progress);
    csv_commit(&csv);
    claim_sums(with, guess);
    claim_products(without, guess);
}
