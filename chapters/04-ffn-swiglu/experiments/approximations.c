/* Activations and their slopes, and how far each form of GELU is from the exact one. */
#include <math.h>
#include <stdio.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/gelu_approximations.h"
#include "04-ffn-swiglu/gelu.h"
#include "04-ffn-swiglu/silu.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"

/* The slope of an activation at x, from its backward kernel. */
static double slope_at(void (*backward)(float *dx, const float *dout, const float *x,
                                        size_t n),
                       float x) {
    float slope = 0, one = 1;
    backward(&slope, &one, &x, 1);
    return (double)slope;
}

static void write_curves(const Settings *settings) {
    Csv csv = csv_begin(
        settings->out, "approximations",
        "x,relu,silu,gelu,gelu_new,error_tanh,error_sigmoid,error_mixed_up,error_table,"
        "relu_slope,silu_slope,gelu_slope");
    for (int i = -300; i <= 300; i++) {
        float x = (float)i / 50.0f, rectified, smooth, exact, out[APPROXIMATIONS];
        double error[APPROXIMATIONS];
        relu_forward(&rectified, &x, 1);
        silu_forward(&smooth, &x, 1);
        gelu_erf_forward(&exact, &x, 1);
        for (size_t a = 0; a < APPROXIMATIONS; a++) {
            approximations[a].forward(&out[a], &x, 1);
            error[a] = fabs((double)out[a] - gelu_exact((double)x));
        }
        csv_row(&csv, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
                (double)x, (double)rectified, (double)smooth, (double)exact,
                (double)out[TANH], error[TANH], error[SIGMOID], error[MIXED_UP],
                error[TABLE], slope_at(relu_backward, x), slope_at(silu_backward, x),
                slope_at(gelu_erf_backward, x));
    }
    csv_commit(&csv);
}

/* Straight lines over cells of width h miss a curve by at most h^2 / 8 times its
 * largest second derivative, which GELU has at 0: sqrt(2 / pi). */
static size_t table_size;
static void table_of_that_size(float *out, const float *x, size_t n) {
    gelu_table(out, x, n, table_size);
}

static void table_sizes(const Settings *settings) {
    enum { SIZES = 8 };
    double intervals[SIZES], error[SIZES];
    Csv csv = csv_begin(settings->out, "table-size", "values,bytes,error,theory");
    for (size_t i = 0; i < SIZES; i++) {
        table_size = (size_t)32 << i;
        intervals[i] = (double)table_size;
        error[i] = worst_error(table_of_that_size).error;
        double h = 16 / intervals[i];
        csv_row(&csv, "%zu,%zu,%.6g,%.6g", table_size + 1, 4 * (table_size + 1),
                error[i], h * h / 8 * sqrt(2 / 3.14159265358979323846));
    }
    csv_commit(&csv);
    double slope = fit_exponent(intervals, error, SIZES);
    claim(fabs(slope + 2) < 0.1, "a table's error ~ size^%.3f, within 0.1 of -2",
          slope);
}

static Worst write_worst(Csv *csv, const char *name,
                         void (*forward)(float *out, const float *x, size_t n)) {
    Worst w = worst_error(forward);
    csv_row(csv, "%s,%.3g,%.3g,%.3g,%.3g", name, w.error, w.x, w.ulps, w.ulps_x);
    return w;
}

void experiment_approximations(const Settings *settings) {
    write_curves(settings);
    Worst worst[APPROXIMATIONS];
    Csv csv = csv_begin(settings->out, "worst", "form,error,x,ulps,ulps_x");
    for (size_t a = 0; a < APPROXIMATIONS; a++)
        worst[a] =
            write_worst(&csv, approximations[a].column, approximations[a].forward);
    Worst kernel = write_worst(&csv, "erf_kernel", gelu_erf_forward);
    csv_commit(&csv);
    claim(fabs(worst[TANH].error - 4.73e-4) < 5e-6,
          "the tanh form is off by up to %.3g, expected 4.73e-4", worst[TANH].error);
    claim(fabs(worst[SIGMOID].error - 0.0203) < 2e-4,
          "x sigmoid(1.702 x) is off by up to %.3g, expected 0.0203",
          worst[SIGMOID].error);
    claim(fabs(worst[MIXED_UP].error - 0.127) < 1e-3,
          "tanh(1.702 x) is off by up to %.3g, expected 0.127", worst[MIXED_UP].error);
    claim(worst[TABLE].error < worst[TANH].error,
          "the table of 257 values is off by up to %.3g, less than the tanh form",
          worst[TABLE].error);
    claim(
        kernel.error < 5e-7 && kernel.ulps > 1e5,
        "the exact GELU in float is off by %.2g at most, which is %.2g ulp at x = %.2f",
        kernel.error, kernel.ulps, kernel.ulps_x);
    table_sizes(settings);

    float lowest = 0, lowest_x = 0;
    for (int i = -3000; i <= 0; i++) {
        float x = (float)i / 1000.0f, y;
        gelu_erf_forward(&y, &x, 1);
        if (y < lowest) {
            lowest = y;
            lowest_x = x;
        }
    }
    claim(fabsf(lowest + 0.17f) < 1e-3f && fabsf(lowest_x + 0.752f) < 5e-3f,
          "GELU is not monotone: it falls to %.4f at x = %.3f", (double)lowest,
          (double)lowest_x);
}
