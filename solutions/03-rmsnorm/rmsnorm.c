/* RMSNorm. Before you read on: make hint-03 EX=rmsnorm */
#include "03-rmsnorm/rmsnorm.h"

#include <math.h>

void rmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                     size_t rows, size_t dim, float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        double squares = 0;
        for (size_t i = 0; i < dim; i++) squares += (double)row[i] * (double)row[i];
        double mean_square = squares / (double)dim;
        float scale = (float)(1.0 / sqrt(mean_square + (double)eps));
        /* out = x * rrms * gain */
        for (size_t i = 0; i < dim; i++)
            out[r * dim + i] = row[i] * scale * (gain ? gain[i] : 1.0f);
        rrms[r] = scale;
    }
}

void rmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                      const float *rrms, const float *gain, size_t rows, size_t dim) {
    if (dx) {
#pragma omp parallel for if (rows * dim > 1 << 14)
        for (size_t r = 0; r < rows; r++) {
            const float *row = x + r * dim, *dout_row = dout + r * dim;
            /* the mean of g * xhat, with g = dout * gain */
            double sum = 0;
            for (size_t i = 0; i < dim; i++) {
                float g = dout_row[i] * (gain ? gain[i] : 1.0f);
                float xhat = row[i] * rrms[r];
                sum += (double)(g * xhat);
            }
            float mean = (float)(sum / (double)dim);
            /* dx = rrms * (g - xhat * mean(g * xhat)) */
            for (size_t i = 0; i < dim; i++) {
                float g = dout_row[i] * (gain ? gain[i] : 1.0f);
                float xhat = row[i] * rrms[r];
                dx[r * dim + i] += rrms[r] * (g - xhat * mean);
            }
        }
    }
    /* dgain = dout * xhat, summed over the rows */
    if (dgain) {
        for (size_t r = 0; r < rows; r++) {
            for (size_t i = 0; i < dim; i++)
                dgain[i] += dout[r * dim + i] * x[r * dim + i] * rrms[r];
        }
    }
}
