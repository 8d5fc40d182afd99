/* Layer normalization. Before you read on: make hint-01 EX=layernorm */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

#include "kernels/columns.h"
#include "kernels/reduce.h"

void layernorm_forward(float *out, float *mean, float *rstd, const float *x,
                       const float *gain, const float *bias, size_t rows, size_t dim,
                       float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        /* mean, in double, so that the mean of 768 equal floats is that float. `rest`
         * is what it loses when it is rounded to a float: at an offset of 10^6 up to
         * 0.03, as much as an element may differ from it. */
        double exact = row_sum_double(row, dim) / (double)dim;
        float mu = (float)exact, rest = (float)(exact - (double)mu);
        /* rstd = 1 / sqrt(variance + eps) */
        float variance = row_sum_squares(row, mu, dim) / (float)dim - rest * rest;
        float scale = 1.0f / sqrtf(variance + eps);
        /* out = xhat * gain + bias */
        for (size_t i = 0; i < dim; i++) {
            float xhat = (row[i] - mu - rest) * scale;
            out[r * dim + i] = xhat * (gain ? gain[i] : 1.0f) + (bias ? bias[i] : 0.0f);
        }
        mean[r] = mu;
        rstd[r] = scale;
    }
}

void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < (dx ? rows : 0); r++) {
        const float *row = x + r * dim, *dout_row = dout + r * dim;
        /* the means of g = dout * gain and of g * xhat */
        double sum_g = row_sum_products(dout_row, gain, dim);
        double sum_g_xhat =
            row_sum_normalized(dout_row, gain, row, mean[r], rstd[r], dim);
        float mean_g = (float)(sum_g / (double)dim),
              mean_g_xhat = (float)(sum_g_xhat / (double)dim);
        /* dx = rstd * (g - mean(g) - xhat * mean(g * xhat)) */
        for (size_t i = 0; i < dim; i++) {
            float g = dout_row[i] * (gain ? gain[i] : 1.0f);
            float xhat = (row[i] - mean[r]) * rstd[r];
            dx[r * dim + i] += rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
    /* dgain = dout * xhat and dbias = dout, summed over the rows */
    if (dgain) column_sums_normalized(dgain, dout, x, mean, rstd, rows, dim);
    if (dbias) column_sums(dbias, dout, rows, dim);
}
