/* How far RMSNorm's output is from LayerNorm's, on one row with a mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "03-rmsnorm/experiments/experiments.h"
#include "03-rmsnorm/rmsnorm.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "math/random.h"

/* One row with no gain, no bias, no eps: nothing but the normalization. */
static void layernorm_row(float *out, const float *x, size_t n) {
    float mean, rstd;
    layernorm_forward(out, &mean, &rstd, x, NULL, NULL, 1, n, 0);
}

static void rmsnorm_row(float *out, const float *x, size_t n) {
    float rrms;
    rmsnorm_forward(out, &rrms, x, NULL, 1, n, 0);
}

/* The root of the mean of (a - b)^2. */
static double distance(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum / (double)n);
}

/* A row of dim numbers of mean `ratio` and standard deviation 1, both exactly (but for
 * rounding). */
static void fill_row(float *row, size_t dim, double ratio, uint64_t seed) {
    Random r = random_create(seed);
    double sum = 0, squares = 0;
    random_fill_normal(&r, row, dim, 1);
    for (size_t i = 0; i < dim; i++) sum += (double)row[i];
    double mean = sum / (double)dim;
    for (size_t i = 0; i < dim; i++)
        squares += ((double)row[i] - mean) * ((double)row[i] - mean);
    double std = sqrt(squares / (double)dim);
    for (size_t i = 0; i < dim; i++)
        row[i] = (float)(((double)row[i] - mean) / std + ratio);
}

typedef struct {
    double difference; /* |RMSNorm(x) - LayerNorm(x)|, root mean square over the row */
    double centered;   /* the same once the mean of RMSNorm's output is taken off */
    double mean;       /* the mean of RMSNorm's output */
} Difference;

static Difference measure_difference(size_t dim, double ratio, uint64_t seed) {
    float *row = checked_alloc(3 * dim, sizeof *row), *rms = row + dim,
          *layer = row + 2 * dim;
    fill_row(row, dim, ratio, seed);
    rmsnorm_row(rms, row, dim);
    layernorm_row(layer, row, dim);
    Difference d = {.difference = distance(rms, layer, dim)};
    for (size_t i = 0; i < dim; i++) d.mean += (double)rms[i] / (double)dim;
    for (size_t i = 0; i < dim; i++) rms[i] -= (float)d.mean;
    d.centered = distance(rms, layer, dim);
    free(row);
    return d;
}

/* For a row of mean r and deviation 1, RMSNorm gives (r + z) / sqrt(1 + r^2) where
 * LayerNorm gives z. */
static double theory(double ratio) {
    return sqrt(2 - 2 / sqrt(1 + ratio * ratio));
}

static double theory_centered(double ratio) {
    return 1 - 1 / sqrt(1 + ratio * ratio);
}

void show_differences(const Settings *settings, size_t dim) {
    static const double ratios[] = {0, 0.01, 0.1, 0.5, 1, 3, 10, 100};
    printf("A row of %zu numbers with standard deviation 1 and a growing mean:\n\n",
           dim);
    printf("%8s %14s %22s %22s\n", "mean/std", "RMSNorm's mean",
           "|RMSNorm - LayerNorm|", "with the mean removed");
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        Difference d = measure_difference(dim, ratios[i], settings->seed);
        printf("%8g %14.4f %22.5f %22.5f\n", ratios[i],
               fabs(d.mean) < 1e-6 ? 0 : d.mean, d.difference, d.centered);
    }
}

void experiment_mean_ratio(const Settings *settings) {
    /* 0.01 to 100, six points a decade; SMALL of them are below 0.25 */
    enum { dim = 256, POINTS = 25, SMALL = 9 };
    double ratios[POINTS], difference[POINTS], centered[POINTS], off = 0;
    Csv csv = csv_begin(settings->out, "mean-ratio",
                        "ratio,difference,centered,difference_theory,centered_theory");
    for (size_t i = 0; i < POINTS; i++) {
        ratios[i] = exp_double(log_double(10) * ((double)i / 6 - 2));
        Difference d = measure_difference(dim, ratios[i], settings->seed);
        difference[i] = d.difference;
        centered[i] = d.centered;
        off = larger(off, fabs(d.difference / theory(ratios[i]) - 1));
        csv_row(&csv, "%.6g,%.6g,%.5g,%.6g,%.6g", ratios[i], difference[i], centered[i],
                theory(ratios[i]), theory_centered(ratios[i]));
    }
    csv_commit(&csv);
    double slope = fit_exponent(ratios, difference, SMALL),
           slope_centered = fit_exponent(ratios, centered, SMALL);
    claim(slope > 0.95 && slope < 1.05,
          "slope %.4f of log |RMSNorm - LayerNorm| against log mean/std, within 0.05 "
          "of 1",
          slope);
    claim(slope_centered > 1.9 && slope_centered < 2.1,
          "slope %.4f once the mean is removed, within 0.1 of 2", slope_centered);
    claim(off < 1e-3, "measured and sqrt(2 - 2/sqrt(1 + r^2)) agree within %.1e of it",
          off);
}
