/* pRMSNorm. Before you read on: make hint-03 EX=prmsnorm */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

#include "03-rmsnorm/rmsnorm.h"

void prmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                      size_t rows, size_t dim, size_t part, float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        /* the first elements are measured */
        double squares = 0;
        for (size_t i = 0; i < part; i++) squares += (double)row[i] * (double)row[i];
        double mean_square = squares / (double)part;
        float scale = (float)(1.0 / sqrt(mean_square + (double)eps));
        /* out = x * rrms * gain, for all */
        for (size_t i = 0; i < dim; i++)
            out[r * dim + i] = row[i] * scale * (gain ? gain[i] : 1.0f);
        rrms[r] = scale;
    }
}

void prmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                       const float *rrms, const float *gain, size_t rows, size_t dim,
                       size_t part) {
    if (dx) {
#pragma omp parallel for if (rows * dim > 1 << 14)
        for (size_t r = 0; r < rows; r++) {
            const float *row = x + r * dim, *dout_row = dout + r * dim;
            /* S = (1/part) sum of g * xhat, with g = dout * gain: every output has the
             * scale in it, so all of them send gradient to it */
            double sum = 0;
            for (size_t i = 0; i < dim; i++) {
                float g = dout_row[i] * (gain ? gain[i] : 1.0f);
                float xhat = row[i] * rrms[r];
                sum += (double)(g * xhat);
            }
            float share = (float)(sum / (double)part);
            /* dx = rrms * (g - xhat * S) where x was measured, rrms * g elsewhere */
            for (size_t i = 0; i < dim; i++) {
                float g = dout_row[i] * (gain ? gain[i] : 1.0f);
                float xhat = row[i] * rrms[r];
                dx[r * dim + i] += rrms[r] * (i < part ? g - xhat * share : g);
            }
        }
    }
    /* the gain does not know how rrms was measured: its gradient is RMSNorm's */
    if (dgain) rmsnorm_backward(NULL, dgain, dout, x, rrms, gain, rows, dim);
}
