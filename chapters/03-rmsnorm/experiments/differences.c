/* How far RMSNorm's output is from LayerNorm's, on one row with a mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "03-rmsnorm/experiments/experiments.h"
#include "03-rmsnorm/rmsnorm.h"
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
} Difference;

static Difference measure_difference(size_t dim, double ratio, uint64_t seed) {
    float *row = checked_alloc(3 * dim, sizeof *row), *rms = row + dim,
          *layer = row + 2 * dim;
    fill_row(row, dim, ratio, seed);
    rmsnorm_row(rms, row, dim);
    layernorm_row(layer, row, dim);
    Difference d = {.difference = distance(rms, layer, dim)};
    double mean = 0;
    for (size_t i = 0; i < dim; i++) mean += (double)rms[i] / (double)dim;
    for (size_t i = 0; i < dim; i++) rms[i] -= (float)mean;
    d.centered = distance(rms, layer, dim);
    free(row);
    return d;
}

/* For a row of mean r and deviation 1, RMSNorm gives (r + z) / sqrt(1 + r^2) where
 * LayerNorm gives z. */
static double theory(double ratio) {
    return sqrt(2 - 2 / sqrt(1 + ratio * ratio));
}

void show_differences(const Settings *settings, size_t dim) {
    static const double ratios[] = {0, 0.01, 0.1, 0.5, 1, 3, 10, 100};
    printf("A row of %zu numbers with standard deviation 1 and a growing mean r:\n\n",
           dim);
    printf("%8s %22s %12s %22s\n", "r", "|RMSNorm - LayerNorm|", "formula",
           "with the mean removed");
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        Difference d = measure_difference(dim, ratios[i], settings->seed);
        printf("%8g %22.5f %12.5f %22.5f\n", ratios[i], d.difference, theory(ratios[i]),
               d.centered);
    }
}
