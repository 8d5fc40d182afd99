/* pRMSNorm. Before you read on: make hint-03 EX=prmsnorm */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

#include "kernels/columns.h"
#include "kernels/reduce.h"

void prmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                      size_t rows, size_t dim, size_t part, float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        /* rrms = 1 / sqrt(mean of the first x^2 + eps) */
        float mean_square = row_sum_squares(row, 0.0f, part) / (float)part;
        float scale = 1.0f / sqrtf(mean_square + eps);
        /* out = x * rrms * gain, for all */
        for (size_t i = 0; i < dim; i++)
            out[r * dim + i] = row[i] * scale * (gain ? gain[i] : 1.0f);
        rrms[r] = scale;
    }
}

void prmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                       const float *rrms, const float *gain, size_t rows, size_t dim,
                       size_t part) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < (dx ? rows : 0); r++) {
        const float *row = x + r * dim, *dout_row = dout + r * dim;
        /* S = (1/part) sum of g * xhat, with g = dout * gain: every output has the
         * scale in it, so all of them send gradient to it */
        double sum = row_sum_normalized(dout_row, gain, row, 0.0f, rrms[r], dim);
        float share = (float)(sum / (double)part);
        /* dx = rrms * (g - xhat * S) where x was measured, rrms * g elsewhere */
        for (size_t i = 0; i < dim; i++) {
            float g = dout_row[i] * (gain ? gain[i] : 1.0f);
            float xhat = row[i] * rrms[r];
            dx[r * dim + i] += rrms[r] * (i < part ? g - xhat * share : g);
        }
    }
    /* dgain = dout * xhat, summed over the rows */
    if (dgain) column_sums_normalized(dgain, dout, x, NULL, rrms, rows, dim);
}
