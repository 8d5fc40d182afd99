/* Layer normalization. Before you read on: make hint-01 EX=layernorm */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

void layernorm_forward(float *out, float *mean, float *rstd, const float *x,
                       const float *gain, const float *bias, size_t rows, size_t dim,
                       float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        /* both sums in double, so that the mean of 768 equal floats is that float */
        double sum = 0, squares = 0;
        for (size_t i = 0; i < dim; i++) sum += (double)row[i];
        double exact = sum / (double)dim;
        for (size_t i = 0; i < dim; i++) {
            double difference = (double)row[i] - exact;
            squares += difference * difference;
        }
        double variance = squares / (double)dim;
        float mu = (float)exact;
        float scale = (float)(1.0 / sqrt(variance + (double)eps));
        /* out = xhat * gain + bias */
        //> row
        for (size_t i = 0; i < dim; i++) {
            float xhat = (row[i] - mu) * scale;
            out[r * dim + i] = xhat * (gain ? gain[i] : 1.0f) + (bias ? bias[i] : 0.0f);
        }
        //< row
        mean[r] = mu;
        rstd[r] = scale;
    }
}

void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim) {
    if (dx) {
#pragma omp parallel for if (rows * dim > 1 << 14)
        for (size_t r = 0; r < rows; r++) {
            const float *row = x + r * dim, *dout_row = dout + r * dim;
            /* the means of g = dout * gain and of g * xhat */
            double sum_g = 0, sum_g_xhat = 0;
            for (size_t i = 0; i < dim; i++) {
                float g = dout_row[i] * (gain ? gain[i] : 1.0f);
                float xhat = (row[i] - mean[r]) * rstd[r];
                sum_g += (double)g;
                sum_g_xhat += (double)(g * xhat);
            }
            float mean_g = (float)(sum_g / (double)dim);
            float mean_g_xhat = (float)(sum_g_xhat / (double)dim);
            /* dx = rstd * (g - mean(g) - xhat * mean(g * xhat)) */
            for (size_t i = 0; i < dim; i++) {
                float g = dout_row[i] * (gain ? gain[i] : 1.0f);
                float xhat = (row[i] - mean[r]) * rstd[r];
                dx[r * dim + i] += rstd[r] * (g - mean_g - xhat * mean_g_xhat);
            }
        }
    }
    /* dgain = dout * xhat and dbias = dout, summed over the rows. Rows are not shared
     * out among threads here: two of them would add to one number. */
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; i < dim; i++) {
            size_t at = r * dim + i;
            if (dgain) dgain[i] += dout[at] * (x[at] - mean[r]) * rstd[r];
            if (dbias) dbias[i] += dout[at];
        }
    }
}
