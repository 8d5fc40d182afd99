/* Layer normalization. Before you read on: make hint-01 EX=layernorm */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

#include "reduce.h"

void layernorm_forward(float *out, float *mean, float *rstd, const float *x, const float *gain,
                       const float *bias, size_t rows, size_t dim, float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        float mu = row_sum(row, dim) / (float)dim;
        float variance = row_sum_squares(row, mu, dim) / (float)dim;
        float scale = 1.0f / sqrtf(variance + eps);
        for (size_t i = 0; i < dim; i++) {
            float xhat = (row[i] - mu) * scale;
            out[r * dim + i] = xhat * (gain ? gain[i] : 1.0f) + (bias ? bias[i] : 0.0f);
        }
        mean[r] = mu;
        rstd[r] = scale;
    }
}

/* dx of one row. */
static void row_backward(float *dx, const float *dout, const float *x, float mean, float rstd,
                         const float *gain, size_t dim) {
    double sum = 0, sum_xhat = 0;
    for (size_t i = 0; i < dim; i++) {
        float g = gain ? dout[i] * gain[i] : dout[i];
        sum += (double)g;
        sum_xhat += (double)(g * (x[i] - mean) * rstd);
    }
    float mean_g = (float)(sum / (double)dim), mean_g_xhat = (float)(sum_xhat / (double)dim);
    for (size_t i = 0; i < dim; i++) {
        float g = gain ? dout[i] * gain[i] : dout[i];
        dx[i] += rstd * (g - mean_g - (x[i] - mean) * rstd * mean_g_xhat);
    }
}

void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout, const float *x,
                        const float *mean, const float *rstd, const float *gain, size_t rows, size_t dim) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < (dx ? rows : 0); r++) {
        row_backward(dx + r * dim, dout + r * dim, x + r * dim, mean[r], rstd[r], gain, dim);
    }
    /* Sums over the rows: threads would have to share them, so each takes some of the columns instead. */
    if (!dgain && !dbias) return;
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t i = 0; i < dim; i++) {
        float sum = 0, sum_xhat = 0;
        for (size_t r = 0; r < rows; r++) {
            float g = dout[r * dim + i];
            sum += g;
            sum_xhat += g * (x[r * dim + i] - mean[r]) * rstd[r];
        }
        if (dbias) dbias[i] += sum;
        if (dgain) dgain[i] += sum_xhat;
    }
}
