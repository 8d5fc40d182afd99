/* All in double; the gradients of gain and bias by blocks of columns. */
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include <math.h>
void layernorm_forward(float *out, float *mean, float *rstd, const float *x,
                       const float *gain, const float *bias, size_t rows, size_t dim,
                       float eps) {
    for (size_t r = 0; r < rows; r++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < dim; i++) sum += (double)x[r * dim + i];
        double mu = sum / (double)dim;
        for (size_t i = 0; i < dim; i++) {
            double d = (double)x[r * dim + i] - mu;
            squares += d * d;
        }
        double scale = 1.0 / sqrt(squares / (double)dim + (double)eps);
        for (size_t i = 0; i < dim; i++) {
            double xhat = ((double)x[r * dim + i] - mu) * scale;
            if (gain) xhat *= (double)gain[i];
            if (bias) xhat += (double)bias[i];
            out[r * dim + i] = (float)xhat;
        }
        mean[r] = (float)mu;
        rstd[r] = (float)scale;
    }
}
void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        double mean_g = 0, mean_gx = 0;
        for (size_t i = 0; i < dim; i++) {
            size_t at = r * dim + i;
            double g = (double)dout[at] * (gain ? (double)gain[i] : 1.0);
            double xhat = ((double)x[at] - (double)mean[r]) * (double)rstd[r];
            mean_g += g;
            mean_gx += g * xhat;
        }
        mean_g /= (double)dim;
        mean_gx /= (double)dim;
        for (size_t i = 0; i < dim; i++) {
            size_t at = r * dim + i;
            double g = (double)dout[at] * (gain ? (double)gain[i] : 1.0);
            double xhat = ((double)x[at] - (double)mean[r]) * (double)rstd[r];
            if (dx) dx[at] += (float)((double)rstd[r] * (g - mean_g - xhat * mean_gx));
        }
    }
    enum { BLOCK = 64 };
    for (size_t first = 0; first < dim; first += BLOCK) {
        size_t n = dim - first < BLOCK ? dim - first : BLOCK;
        double sum_gain[BLOCK] = {0}, sum_bias[BLOCK] = {0};
        for (size_t r = 0; r < rows; r++) {
            for (size_t i = 0; i < n; i++) {
                size_t at = r * dim + first + i;
                sum_gain[i] += (double)dout[at] * ((double)x[at] - (double)mean[r]) *
                               (double)rstd[r];
                sum_bias[i] += (double)dout[at];
            }
        }
        for (size_t i = 0; i < n; i++) {
            if (dgain) dgain[first + i] += (float)sum_gain[i];
            if (dbias) dbias[first + i] += (float)sum_bias[i];
        }
    }
}
