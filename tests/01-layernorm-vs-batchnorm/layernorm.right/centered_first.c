/* The row less its mean goes to out first, and is scaled there. The backward pass goes
 * back the same way, step by step: through the scale, then through the mean. */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

#include "kernels/reduce.h"

void layernorm_forward(float *out, float *mean, float *rstd, const float *x,
                       const float *gain, const float *bias, size_t rows, size_t dim,
                       float eps) {
    for (size_t r = 0; r < rows; r++, x += dim, out += dim) {
        double mu = row_sum_double(x, dim) / (double)dim, squares = 0;
        for (size_t i = 0; i < dim; i++) {
            out[i] = (float)((double)x[i] - mu);
            squares += (double)out[i] * (double)out[i];
        }
        mean[r] = (float)mu;
        rstd[r] = (float)pow(squares / (double)dim + (double)eps, -0.5);
        for (size_t i = 0; i < dim; i++) out[i] *= rstd[r];
        for (size_t i = 0; gain && i < dim; i++) out[i] *= gain[i];
        for (size_t i = 0; bias && i < dim; i++) out[i] += bias[i];
    }
}

void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim) {
    for (size_t i = 0; dbias && i < dim; i++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++) sum += (double)dout[r * dim + i];
        dbias[i] += (float)sum;
    }
    for (size_t i = 0; dgain && i < dim; i++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++)
            sum += (double)dout[r * dim + i] *
                   (double)((x[r * dim + i] - mean[r]) * rstd[r]);
        dgain[i] += (float)sum;
    }
    for (size_t r = 0; dx && r < rows; r++) {
        const float *row = x + r * dim, *d = dout + r * dim;
        /* out = c * rstd with c = x - mean: d rstd / d c = -rstd^3 c / dim */
        double drstd = 0, dmean = 0, scale = (double)rstd[r];
        for (size_t i = 0; i < dim; i++)
            drstd += (double)d[i] * (double)(gain ? gain[i] : 1.0f) *
                     (double)(row[i] - mean[r]);
        for (int pass = 0; pass < 2; pass++) {
            for (size_t i = 0; i < dim; i++) {
                double g = (double)d[i] * (double)(gain ? gain[i] : 1.0f),
                       c = (double)(row[i] - mean[r]);
                double dc = g * scale - drstd * scale * scale * scale * c / (double)dim;
                if (pass == 0) dmean += dc / (double)dim;
                if (pass == 1) dx[r * dim + i] += (float)(dc - dmean);
            }
        }
    }
}
