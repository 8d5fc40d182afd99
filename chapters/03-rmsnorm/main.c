/* RMSNorm beside LayerNorm: what it leaves out, what that costs, and what it cannot undo. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/linear.h"
#include "03-rmsnorm/norm.h"
#include "03-rmsnorm/prmsnorm.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "fmath.h"
#include "program.h"

static size_t dim = 256;

/* No gain, no bias, no eps: nothing but the normalization. */
static void layernorm_plain(float *out, const float *x, size_t rows, size_t n) {
    float *statistics = checked_alloc(2 * rows, sizeof *statistics);
    layernorm_forward(out, statistics, statistics + rows, x, NULL, NULL, rows, n, 0);
    free(statistics);
}

static void rmsnorm_plain(float *out, const float *x, size_t rows, size_t n) {
    float *statistics = checked_alloc(rows, sizeof *statistics);
    rmsnorm_forward(out, statistics, x, NULL, rows, n, 0);
    free(statistics);
}

/* The root of the mean of (a - b)^2. */
static double distance(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    return sqrt(sum / (double)n);
}

/* --- rows with a growing mean --- */

/* A row of dim numbers of mean `ratio` and standard deviation 1, both exactly (but for rounding). */
static void fill_row(float *row, double ratio, uint64_t seed) {
    Random r = random_create(seed);
    double sum = 0, squares = 0;
    random_fill_normal(&r, row, dim, 1);
    for (size_t i = 0; i < dim; i++) sum += (double)row[i];
    double mean = sum / (double)dim;
    for (size_t i = 0; i < dim; i++) squares += ((double)row[i] - mean) * ((double)row[i] - mean);
    double std = sqrt(squares / (double)dim);
    for (size_t i = 0; i < dim; i++) row[i] = (float)(((double)row[i] - mean) / std + ratio);
}

typedef struct {
    double difference; /* |RMSNorm(x) - LayerNorm(x)|, root mean square over the row */
    double centered;   /* the same once the mean of RMSNorm's output is taken off */
    double mean;       /* the mean of RMSNorm's output */
} Difference;

//> measure_difference
static Difference measure_difference(double ratio, uint64_t seed) {
    float *row = checked_alloc(3 * dim, sizeof *row), *rms = row + dim, *layer = row + 2 * dim;
    fill_row(row, ratio, seed);
    rmsnorm_plain(rms, row, 1, dim);
    layernorm_plain(layer, row, 1, dim);
    Difference d = {.difference = distance(rms, layer, dim)};
    for (size_t i = 0; i < dim; i++) d.mean += (double)rms[i] / (double)dim;
    for (size_t i = 0; i < dim; i++) rms[i] -= (float)d.mean;
    d.centered = distance(rms, layer, dim);
    free(row);
    return d;
}
//< measure_difference

/* For a row of mean r and deviation 1, RMSNorm gives (r + z) / sqrt(1 + r^2) where LayerNorm gives z. */
static double theory(double ratio) {
    return sqrt(2 - 2 / sqrt(1 + ratio * ratio));
}

static double theory_centered(double ratio) {
    return 1 - 1 / sqrt(1 + ratio * ratio);
}

static void mean_ratio(const Settings *settings) {
    enum { POINTS = 25, SMALL = 9 }; /* 0.01 to 100, six points a decade; SMALL of them are below 0.25 */
    double ratios[POINTS], difference[POINTS], centered[POINTS], off = 0;
    Csv csv = csv_begin(settings->out, "03-mean-ratio",
                        "ratio,difference,centered,difference_theory,centered_theory");
    for (size_t i = 0; i < POINTS; i++) {
        ratios[i] = exp_double(log_double(10) * ((double)i / 6 - 2));
        Difference d = measure_difference(ratios[i], settings->seed);
        difference[i] = d.difference;
        centered[i] = d.centered;
        off = fmax(off, fabs(d.difference / theory(ratios[i]) - 1));
        csv_row(&csv, "%.6g,%.6g,%.5g,%.6g,%.6g", ratios[i], difference[i], centered[i], theory(ratios[i]),
                theory_centered(ratios[i]));
    }
    csv_commit(&csv);
    double slope = fit_exponent(ratios, difference, SMALL),
           slope_centered = fit_exponent(ratios, centered, SMALL);
    claim(slope > 0.95 && slope < 1.05,
          "slope %.4f of log |RMSNorm - LayerNorm| against log mean/std, within 0.05 of 1", slope);
    claim(slope_centered > 1.9 && slope_centered < 2.1,
          "slope %.4f once the mean is removed, within 0.1 of 2", slope_centered);
    claim(off < 1e-3, "measured and sqrt(2 - 2/sqrt(1 + r^2)) agree within %.1e of it", off);
}

/* --- the demo --- */

static void print_ratios(const Settings *settings) {
    static const double ratios[] = {0, 0.01, 0.1, 0.5, 1, 3, 10, 100};
    printf("A row of %zu numbers with standard deviation 1 and a growing mean:\n\n", dim);
    printf("%8s %14s %22s %22s\n", "mean/std", "RMSNorm's mean", "|RMSNorm - LayerNorm|",
           "with the mean removed");
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        Difference d = measure_difference(ratios[i], settings->seed);
        printf("%8g %14.4f %22.5f %22.5f\n", ratios[i], fabs(d.mean) < 1e-6 ? 0 : d.mean, d.difference,
               d.centered);
    }
}

/* Parameters as registered, and arithmetic of one forward pass over a row of d, counted from the formulas: a
 * sum of n numbers is n - 1 additions, a subtraction, product or sum per element d. */
static void print_costs(void) {
    enum { WIDTH = 768 };
    static const char *const names[] = {"layer", "rms"};
    printf("\nFor rows of %d (GPT-2):\n\n%-10s %11s %11s %11s %11s\n", WIDTH, "norm", "parameters",
           "additions", "products", "passes");
    for (size_t i = 0; i < 2; i++) {
        Params params = {.mode = PARAMS_TRAIN};
        Norm n = norm_create(&params, norm_kind(names[i]), WIDTH, 1e-5f, "norm");
        bool layer = n.kind == NORM_LAYER;
        /* LayerNorm: the sum, x - mean twice, the sum of squares, + bias. RMSNorm: the sum of squares. */
        size_t additions = layer ? 2 * (WIDTH - 1) + 3 * WIDTH : WIDTH - 1;
        printf("%-10s %11zu %11zu %11d %11d\n", names[i], params_count(&params), additions, 3 * WIDTH,
               layer ? 3 : 2);
        norm_free(&n);
        params_free(&params);
    }
}

/* The largest change of the outputs, as a share of the largest output. */
static double change(const float *before, const float *after, size_t n) {
    double worst = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)after[i] - (double)before[i]), size = fabs((double)before[i]);
        if (difference > worst) worst = difference;
        if (size > scale) scale = size;
    }
    return worst / scale;
}

typedef void Normalize(float *out, const float *x, size_t rows, size_t n);

/* What is done to the summed inputs x W before the norm, with constants that are no powers of two. */
typedef enum { SCALE_WEIGHTS, SHIFT_WEIGHTS, SCALE_COLUMN, SCALE_ROW, SHIFT_ROW, CHANGES } Change;

static double invariance(Normalize *normalize, Change what, uint64_t seed) {
    enum { ROWS = 8, INPUTS = 24, UNITS = 32 };
    Random r = random_create(seed);
    float x[ROWS * INPUTS], weight[INPUTS * UNITS], sums[ROWS * UNITS], before[ROWS * UNITS],
        after[ROWS * UNITS];
    random_fill_normal(&r, x, ROWS * INPUTS, 1);
    random_fill_normal(&r, weight, INPUTS * UNITS, 0.3f);
    linear_forward(sums, x, weight, NULL, ROWS, INPUTS, UNITS);
    normalize(before, sums, ROWS, UNITS);
    for (size_t i = 0; i < INPUTS * UNITS; i++) {
        if (what == SCALE_WEIGHTS || (what == SCALE_COLUMN && i % UNITS == 3)) weight[i] *= 1.7f;
        if (what == SHIFT_WEIGHTS) weight[i] += 0.7f;
    }
    for (size_t i = 0; i < INPUTS && what == SCALE_ROW; i++) x[i] *= 1.7f; /* the first row only */
    linear_forward(sums, x, weight, NULL, ROWS, INPUTS, UNITS);
    for (size_t i = 0; i < ROWS * UNITS && what == SHIFT_ROW; i++) sums[i] += 0.7f;
    normalize(after, sums, ROWS, UNITS);
    return change(before, after, ROWS * UNITS);
}

static void print_invariance(const Settings *settings) {
    static const char *const names[CHANGES] = {"all weights times 1.7", "all weights plus 0.7",
                                               "one unit's weights times 1.7", "one input times 1.7",
                                               "all summed inputs plus 0.7"};
    static Normalize *const norms[] = {layernorm_plain, rmsnorm_plain};
    const double limit = 1e-5; /* rounding stays below, a change that matters is above 0.1 */
    printf("\nDoes the output stay the same? (largest change of any output, in the largest output)\n\n%-30s "
           "%18s %18s\n",
           "", "LayerNorm", "RMSNorm");
    for (Change what = 0; what < CHANGES; what++) {
        printf("%-30s", names[what]);
        for (size_t i = 0; i < 2; i++) {
            double by = invariance(norms[i], what, settings->seed);
            printf("    %-5s %9.1e", by < limit ? "yes" : "no", by);
        }
        putchar('\n');
    }
}

/* How well the first elements of a row speak for all of it: the error of pRMSNorm's scale. */
static void print_parts(const Settings *settings) {
    enum { ROWS = 1000 };
    float *x = checked_alloc(ROWS * dim, sizeof *x), *out = checked_alloc(ROWS * dim, sizeof *out);
    float *whole = checked_alloc(ROWS, sizeof *whole), *some = checked_alloc(ROWS, sizeof *some);
    Random r = random_stream(settings->seed, 1);
    random_fill_normal(&r, x, ROWS * dim, 1);
    rmsnorm_forward(out, whole, x, NULL, ROWS, dim, 0);
    printf("\npRMSNorm: the scale from the first part of a row of %zu, %d rows of N(0, 1):\n\n%8s %8s %14s\n",
           dim, ROWS, "part", "p", "error of scale");
    for (size_t part = dim; part >= dim / 16 && part > 0; part /= 2) {
        double sum = 0;
        prmsnorm_forward(out, some, x, NULL, ROWS, dim, part, 0);
        for (size_t i = 0; i < ROWS; i++) {
            double error = (double)some[i] / (double)whole[i] - 1;
            sum += error * error;
        }
        printf("%8zu %7.2f%% %13.1f%%\n", part, 100 * (double)part / (double)dim, 100 * sqrt(sum / ROWS));
    }
    free(x);
    free(out);
    free(whole);
    free(some);
}

static void demo(const Settings *settings) {
    print_ratios(settings);
    print_costs();
    print_invariance(settings);
    print_parts(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {{"dim", OPTION_SIZE, &dim, "length of a row", 2, 1e6}, {0}};
    static const Experiment experiments[] = {
        {"mean-ratio", "RMSNorm against LayerNorm on rows with a mean", mean_ratio},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){.name = "03-rmsnorm",
                                  .summary = "LayerNorm without the mean",
                                  .example = "--dim 768",
                                  .options = options,
                                  .experiments = experiments,
                                  .demo = demo});
}
