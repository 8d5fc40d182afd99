/* The table of invariances of Ba, Kiros & Hinton 2016 (their table 1), computed: see invariance.h. The summed
 * inputs a = x W of a layer are normalized; then the weights or the data are changed, and the outputs are
 * compared. All in double and with eps = 0, so that what is invariant in algebra is so to 15 digits. */
#include "01-layernorm-vs-batchnorm/invariance.h"

#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/experiments.h"
#include "claim.h"
#include "csv.h"
#include "fit.h"

/* --- a layer, and what is done to it --- */

void norm_problem_draw(NormProblem *p, double scale, Random *random) {
    for (size_t i = 0; i < p->cases * p->inputs; i++) p->x[i] = random_normal(random);
    for (size_t i = 0; i < p->inputs * p->units; i++) p->weight[i] = scale * random_normal(random);
}

static void change_problem(NormProblem *p, InvarianceChange change) {
    for (size_t i = 0; i < p->inputs; i++) {
        double *weights = p->weight + i * p->units;
        for (size_t u = 0; u < p->units; u++) {
            if (change == SCALE_MATRIX || (change == SCALE_VECTOR && u == p->unit)) weights[u] *= p->factor;
            if (change == SHIFT_MATRIX) weights[u] += p->weight_shift[i];
        }
        for (size_t n = 0; n < p->cases; n++) {
            double *x = p->x + n * p->inputs + i;
            if (change == SCALE_DATA || (change == SCALE_CASE && n == 0)) *x *= p->factor;
            if (change == SHIFT_DATA) *x += p->data_shift[i];
        }
    }
}

static void normalized_layer(double *out, const NormProblem *p, Normalize *normalize) {
    for (size_t n = 0; n < p->cases; n++) {
        for (size_t u = 0; u < p->units; u++) {
            double sum = 0;
            for (size_t i = 0; i < p->inputs; i++)
                sum += p->x[n * p->inputs + i] * p->weight[i * p->units + u];
            out[n * p->units + u] = sum;
        }
    }
    normalize(out, p);
}

double invariance_effect(const NormProblem *p, InvarianceChange change, Normalize *normalize) {
    double before[MAX_CASES * MAX_UNITS], after[MAX_CASES * MAX_UNITS], largest = 0, difference = 0;
    NormProblem changed = *p;
    change_problem(&changed, change);
    normalized_layer(before, p, normalize);
    normalized_layer(after, &changed, normalize);
    for (size_t i = 0; i < p->cases * p->units; i++) {
        largest = larger(largest, fabs(before[i]));
        difference = larger(difference, fabs(after[i] - before[i]));
    }
    return difference / largest;
}

/* --- the norms --- */

/* Subtracts the mean of the n numbers a[0], a[step] ... and divides by their deviation. */
static void standardize(double *a, size_t n, size_t step) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) mean += a[i * step] / (double)n;
    for (size_t i = 0; i < n; i++) variance += (a[i * step] - mean) * (a[i * step] - mean) / (double)n;
    for (size_t i = 0; i < n; i++) a[i * step] = (a[i * step] - mean) / sqrt(variance);
}

void normalize_cases(double *out, const NormProblem *p) {
    for (size_t n = 0; n < p->cases; n++) standardize(out + n * p->units, p->units, 1);
}

static void normalize_batch(double *out, const NormProblem *p) {
    for (size_t u = 0; u < p->units; u++) standardize(out + u, p->cases, p->units);
}

/* WeightNorm: each output is divided by the length of its unit's weights. */
static void normalize_weights(double *out, const NormProblem *p) {
    for (size_t u = 0; u < p->units; u++) {
        double length = 0;
        for (size_t i = 0; i < p->inputs; i++)
            length += p->weight[i * p->units + u] * p->weight[i * p->units + u];
        for (size_t n = 0; n < p->cases; n++) out[n * p->units + u] /= sqrt(length);
    }
}

/* --- the table --- */

enum { SEEDS = 5, NORMS = 3, WEIGHT_NORM = 1 };
static const struct {
    const char *name;
    Normalize *normalize;
} norms[NORMS] = {{"batch", normalize_batch}, {"weight", normalize_weights}, {"layer", normalize_cases}};

/* The changes, and whether algebra says that the output stays: batch, weight, layer norm. */
static const struct {
    const char *name;
    bool invariant[NORMS];
} changes[INVARIANCE_CHANGES] = {
    [SCALE_MATRIX] = {"weight matrix re-scaled", {true, true, true}},
    [SHIFT_MATRIX] = {"weight matrix re-centred", {false, false, true}},
    [SCALE_VECTOR] = {"one weight vector re-scaled", {true, true, false}},
    [SCALE_DATA] = {"data set re-scaled", {true, false, true}},
    [SHIFT_DATA] = {"data set re-centred", {true, false, false}},
    [SCALE_CASE] = {"one case re-scaled", {false, false, true}},
};

/* Re-scaling by 2.5; re-centring by a vector of normal numbers. */
static double effect(uint64_t seed, InvarianceChange change, Normalize *normalize) {
    NormProblem p = {.cases = 7, .inputs = 6, .units = 5, .factor = 2.5};
    Random random = random_stream(seed, SAMPLE_STREAM);
    norm_problem_draw(&p, 1, &random);
    for (size_t i = 0; i < p.inputs; i++) p.weight_shift[i] = p.data_shift[i] = random_normal(&random);
    return invariance_effect(&p, change, normalize);
}

void invariance_experiment(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "01-invariance", "change,norm,invariant,smallest,largest");
    double largest_kept = 0, smallest_moved = INFINITY;
    printf("how far the output moves, as a share of its largest number (the least of %d seeds)\n", SEEDS);
    printf("%-28s  BatchNorm  WeightNorm  LayerNorm\n", "");
    for (size_t c = 0; c < INVARIANCE_CHANGES; c++) {
        printf("%-28s", changes[c].name);
        for (size_t norm = 0; norm < NORMS; norm++) {
            double smallest = INFINITY, largest = 0;
            for (uint64_t s = 0; s < SEEDS; s++) {
                double moved = effect(settings->seed + s, (InvarianceChange)c, norms[norm].normalize);
                smallest = smaller(smallest, moved);
                largest = larger(largest, moved);
            }
            bool invariant = changes[c].invariant[norm];
            csv_row(&csv, "%s,%s,%d,%.3g,%.3g", changes[c].name, norms[norm].name, invariant, smallest,
                    largest);
            if (invariant)
                largest_kept = larger(largest_kept, largest);
            else
                smallest_moved = smaller(smallest_moved, smallest);
            if (largest < 1e-10)
                printf("  %*s", norm == WEIGHT_NORM ? 10 : 9, "stays");
            else
                printf("  %*.2f", norm == WEIGHT_NORM ? 10 : 9, smallest);
        }
        printf("\n");
    }
    csv_commit(&csv);
    claim(largest_kept < 1e-10, "what should not move moves by %.1g at most (rounding; below 1e-10)",
          largest_kept);
    claim(smallest_moved > 0.01, "what should move moves by %.2f at least (above 0.01)", smallest_moved);
}
