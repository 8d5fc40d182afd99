/* All sums in double, row by row; the gradients of gain and bias in the same loop. */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

void layernorm_forward(float *out, float *mean, float *rstd, const float *x,
                       const float *gain, const float *bias, size_t rows, size_t dim,
                       float eps) {
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        double mu = 0, variance = 0;
        for (size_t i = 0; i < dim; i++) mu += (double)row[i];
        mu /= (double)dim;
        for (size_t i = 0; i < dim; i++)
            variance += ((double)row[i] - mu) * ((double)row[i] - mu);
        double scale = 1 / sqrt(variance / (double)dim + (double)eps);
        for (size_t i = 0; i < dim; i++) {
            double y = ((double)row[i] - mu) * scale;
            if (gain) y *= (double)gain[i];
            if (bias) y += (double)bias[i];
            out[r * dim + i] = (float)y;
        }
        mean[r] = (float)mu;
        rstd[r] = (float)scale;
    }
}

void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        double n = (double)dim, sum_g = 0, sum_g_xhat = 0;
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i], g = gain ? d * (double)gain[i] : d;
            double xhat = ((double)x[r * dim + i] - (double)mean[r]) * (double)rstd[r];
            sum_g += g;
            sum_g_xhat += g * xhat;
            if (dgain) dgain[i] += (float)(d * xhat);
            if (dbias) dbias[i] += (float)d;
        }
        for (size_t i = 0; dx && i < dim; i++) {
            double d = (double)dout[r * dim + i], g = gain ? d * (double)gain[i] : d;
            double xhat = ((double)x[r * dim + i] - (double)mean[r]) * (double)rstd[r];
            dx[r * dim + i] +=
                (float)((double)rstd[r] / n * (n * g - sum_g - xhat * sum_g_xhat));
        }
    }
}
