/* An attack on 01/layernorm: both passes by their formulas in double; an eps as large
 * as the variance, long rows, many rows, rows with an offset, rows of equal numbers,
 * and NULL wherever it is allowed. */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

#include "check/check.h"

/* One row: xhat [dim], and the row's mean and rstd. */
static void normalize(double *xhat, float *mean, float *rstd, const float *row,
                      size_t dim, double eps) {
    double mu = 0, variance = 0;
    for (size_t i = 0; i < dim; i++) mu += (double)row[i] / (double)dim;
    for (size_t i = 0; i < dim; i++)
        variance += pow((double)row[i] - mu, 2) / (double)dim;
    for (size_t i = 0; i < dim; i++)
        xhat[i] = ((double)row[i] - mu) / sqrt(variance + eps);
    *mean = (float)mu;
    *rstd = (float)(1 / sqrt(variance + eps));
}

static void check_rows(size_t rows, size_t dim, float offset, bool affine,
                       double tolerance) {
    size_t n = rows * dim;
    float *x = normal_floats(n, 0.5, 1),
          *gain = affine ? normal_floats(dim, 1, 2) : NULL;
    float *bias = affine ? normal_floats(dim, 1, 3) : NULL,
          *dout = normal_floats(n, 1, 4);
    for (size_t i = 0; i < n; i++) x[i] += offset;
    float *mean = nan_floats(rows), *rstd = nan_floats(rows), *out = nan_floats(n);
    float *dx = ones_and_a_half(n), *dgain = ones_and_a_half(dim),
          *dbias = ones_and_a_half(dim);
    double *right = as_double(x, n), *right_dx = as_double(dx, n),
           *right_dgain = as_double(dgain, dim);
    double *right_dbias = as_double(dbias, dim), *xhat = as_double(x, dim);
    float *right_mean = nan_floats(rows), *right_rstd = nan_floats(rows);
    for (size_t r = 0; r < rows; r++) {
        double mean_g = 0, mean_g_xhat = 0;
        normalize(xhat, right_mean + r, right_rstd + r, x + r * dim, dim, 0.1);
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i], g = d * (gain ? (double)gain[i] : 1);
            right[r * dim + i] =
                xhat[i] * (gain ? (double)gain[i] : 1) + (bias ? (double)bias[i] : 0);
            mean_g += g / (double)dim;
            mean_g_xhat += g * xhat[i] / (double)dim;
            right_dgain[i] += d * xhat[i];
            right_dbias[i] += d;
        }
        for (size_t i = 0; i < dim; i++) {
            double g = (double)dout[r * dim + i] * (gain ? (double)gain[i] : 1);
            right_dx[r * dim + i] +=
                (double)right_rstd[r] * (g - mean_g - xhat[i] * mean_g_xhat);
        }
    }
    layernorm_forward(out, mean, rstd, x, gain, bias, rows, dim, 0.1f);
    CHECK_CLOSE("out", out, right, n, tolerance);
    CHECK_CLOSE("mean", mean, as_double(right_mean, rows), rows, 1e-5);
    CHECK_CLOSE("rstd", rstd, as_double(right_rstd, rows), rows, tolerance);
    layernorm_backward(dx, dgain, dbias, dout, x, right_mean, right_rstd, gain, rows,
                       dim);
    CHECK_CLOSE("dx", dx, right_dx, n, 10 * tolerance);
    CHECK_CLOSE("dgain", dgain, right_dgain, dim, 10 * tolerance);
    CHECK_CLOSE("dbias", dbias, right_dbias, dim, 1e-5);
    layernorm_backward(NULL, NULL, NULL, dout, x, right_mean, right_rstd, gain, rows,
                       dim);
}

Test(attack, formulas) {
    check_rows(5, 4, 0.5f, true, 1e-5);
    check_rows(5, 4, 0.5f, false, 1e-5);
    check_rows(600, 7, 0, true, 1e-5);
    check_rows(3, 5000, 0, true, 1e-5);
}

Test(attack, rows_with_an_offset) {
    check_rows(3, 64, 1000, false, 1e-3);
}

/* The variance is 0 here, and eps almost. A mean that is not the number itself shows,
 * divided by sqrt(eps). */
Test(attack, rows_of_equal_numbers) {
    enum { DIM = 768 };
    float *x = nan_floats(DIM), *bias = normal_floats(DIM, 1, 5),
          *out = nan_floats(DIM), mean, rstd;
    for (size_t i = 0; i < DIM; i++) x[i] = 10000.1f;
    layernorm_forward(out, &mean, &rstd, x, NULL, bias, 1, DIM, 1e-5f);
    CHECK_CLOSE("out", out, as_double(bias, DIM), DIM, 1e-4);
    float zero = 7;
    layernorm_forward(&zero, &mean, &rstd, x, NULL, NULL, 1, 1, 1e-5f);
    CHECK(zero == 0, "one number minus its mean is %g", (double)zero);
}
