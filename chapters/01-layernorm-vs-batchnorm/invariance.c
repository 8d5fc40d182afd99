/* The table of invariances of Ba, Kiros & Hinton 2016 (their table 1), computed. The summed inputs a = x W of
 * a layer are normalized in one of three ways; then the weights or the data are changed, and the outputs are
 * compared. All in double and with eps = 0, so that what is invariant in algebra is so to 15 digits. */
#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/experiments.h"
#include "csv.h"
#include "error.h"
#include "random.h"

enum { CASES = 7, INPUTS = 6, UNITS = 5, SEEDS = 5 };

/* Data, one case a row, and weights, one unit a column. */
typedef struct {
    double x[CASES][INPUTS], weight[INPUTS][UNITS];
} Problem;

/* --- the norms --- */

typedef enum { BATCH_NORM, WEIGHT_NORM, LAYER_NORM, NORMS } Kind;
static const char *const norm_names[NORMS] = {"batch", "weight", "layer"};

/* Subtracts the mean of the n numbers a[0], a[step] ... and divides by their deviation. */
static void standardize(double *a, size_t n, size_t step) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) mean += a[i * step] / (double)n;
    for (size_t i = 0; i < n; i++) variance += (a[i * step] - mean) * (a[i * step] - mean) / (double)n;
    for (size_t i = 0; i < n; i++) a[i * step] = (a[i * step] - mean) / sqrt(variance);
}

static void normalized_layer(double out[CASES][UNITS], const Problem *p, Kind norm) {
    for (size_t n = 0; n < CASES; n++) {
        for (size_t u = 0; u < UNITS; u++) {
            double length = 0;
            out[n][u] = 0;
            for (size_t i = 0; i < INPUTS; i++) {
                out[n][u] += p->x[n][i] * p->weight[i][u];
                length += p->weight[i][u] * p->weight[i][u];
            }
            if (norm == WEIGHT_NORM) out[n][u] /= sqrt(length);
        }
        if (norm == LAYER_NORM) standardize(out[n], UNITS, 1);
    }
    for (size_t u = 0; norm == BATCH_NORM && u < UNITS; u++) standardize(&out[0][u], CASES, UNITS);
}

/* --- the changes: rescaling by 2.5, recentring by a vector of normal numbers --- */

static const double factor = 2.5;

static void scale_matrix(Problem *p, const double *shift) {
    (void)shift;
    for (size_t i = 0; i < INPUTS; i++) {
        for (size_t u = 0; u < UNITS; u++) p->weight[i][u] *= factor;
    }
}

/* The same vector is added to the weights of every unit. */
static void shift_matrix(Problem *p, const double *shift) {
    for (size_t i = 0; i < INPUTS; i++) {
        for (size_t u = 0; u < UNITS; u++) p->weight[i][u] += shift[i];
    }
}

static void scale_vector(Problem *p, const double *shift) {
    (void)shift;
    for (size_t i = 0; i < INPUTS; i++) p->weight[i][0] *= factor;
}

static void scale_data(Problem *p, const double *shift) {
    (void)shift;
    for (size_t n = 0; n < CASES; n++) {
        for (size_t i = 0; i < INPUTS; i++) p->x[n][i] *= factor;
    }
}

/* The same vector is added to every case. */
static void shift_data(Problem *p, const double *shift) {
    for (size_t n = 0; n < CASES; n++) {
        for (size_t i = 0; i < INPUTS; i++) p->x[n][i] += shift[i];
    }
}

static void scale_case(Problem *p, const double *shift) {
    (void)shift;
    for (size_t i = 0; i < INPUTS; i++) p->x[0][i] *= factor;
}

/* The changes, and whether algebra says that the output stays: batch, weight, layer norm. */
static const struct {
    const char *name;
    void (*change)(Problem *, const double *);
    bool invariant[NORMS];
} changes[] = {
    {"weight matrix re-scaled", scale_matrix, {true, true, true}},
    {"weight matrix re-centred", shift_matrix, {false, false, true}},
    {"one weight vector re-scaled", scale_vector, {true, true, false}},
    {"data set re-scaled", scale_data, {true, false, true}},
    {"data set re-centred", shift_data, {true, false, false}},
    {"one case re-scaled", scale_case, {false, false, true}},
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* The largest difference that the change makes, divided by the largest output. */
static double effect(uint64_t seed, size_t change, Kind norm) {
    Problem p;
    double shift[INPUTS], before[CASES][UNITS], after[CASES][UNITS], largest = 0, difference = 0;
    Random random = random_stream(seed, SAMPLE_STREAM);
    for (size_t i = 0; i < CASES * INPUTS; i++) p.x[i / INPUTS][i % INPUTS] = random_normal(&random);
    for (size_t i = 0; i < INPUTS * UNITS; i++) p.weight[i / UNITS][i % UNITS] = random_normal(&random);
    for (size_t i = 0; i < INPUTS; i++) shift[i] = random_normal(&random);
    normalized_layer(before, &p, norm);
    changes[change].change(&p, shift);
    normalized_layer(after, &p, norm);
    for (size_t n = 0; n < CASES; n++) {
        for (size_t u = 0; u < UNITS; u++) {
            largest = fmax(largest, fabs(before[n][u]));
            difference = fmax(difference, fabs(after[n][u] - before[n][u]));
        }
    }
    return difference / largest;
}

void invariance_experiment(const Settings *settings) {
    Csv csv = csv_begin(settings->out, "01-invariance", "change,norm,invariant,smallest,largest");
    double largest_kept = 0, smallest_moved = INFINITY;
    printf("how far the output moves, as a share of its largest number (the least of %d seeds)\n", SEEDS);
    printf("%-28s  BatchNorm  WeightNorm  LayerNorm\n", "");
    for (size_t c = 0; c < CHANGES; c++) {
        printf("%-28s", changes[c].name);
        for (Kind norm = BATCH_NORM; norm < NORMS; norm++) {
            double smallest = INFINITY, largest = 0;
            for (uint64_t s = 0; s < SEEDS; s++) {
                double moved = effect(settings->seed + s, c, norm);
                smallest = fmin(smallest, moved);
                largest = fmax(largest, moved);
            }
            bool invariant = changes[c].invariant[norm];
            csv_row(&csv, "%s,%s,%d,%.3g,%.3g", changes[c].name, norm_names[norm], invariant, smallest,
                    largest);
            if (invariant)
                largest_kept = fmax(largest_kept, largest);
            else
                smallest_moved = fmin(smallest_moved, smallest);
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
