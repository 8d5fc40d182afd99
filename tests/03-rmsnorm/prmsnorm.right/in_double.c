/* All sums in double, row by row; the gradient of the gain in the same loop. */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

void prmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                      size_t rows, size_t dim, size_t part, float eps) {
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (size_t i = 0; i < part; i++)
            sum += (double)x[r * dim + i] * (double)x[r * dim + i];
        double scale = 1 / sqrt(sum / (double)part + (double)eps);
        for (size_t i = 0; i < dim; i++) {
            double y = (double)x[r * dim + i] * scale;
            out[r * dim + i] = (float)(gain ? y * (double)gain[i] : y);
        }
        rrms[r] = (float)scale;
    }
}

void prmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                       const float *rrms, const float *gain, size_t rows, size_t dim,
                       size_t part) {
    for (size_t r = 0; r < rows; r++) {
        double scale = (double)rrms[r], sum = 0;
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i], xhat = (double)x[r * dim + i] * scale;
            sum += gain ? d * (double)gain[i] * xhat : d * xhat;
            if (dgain) dgain[i] += (float)(d * xhat);
        }
        for (size_t i = 0; dx && i < dim; i++) {
            double d = (double)dout[r * dim + i], g = gain ? d * (double)gain[i] : d;
            double xhat = (double)x[r * dim + i] * scale;
            if (i < part) g -= xhat * sum / (double)part;
            dx[r * dim + i] += (float)(scale * g);
        }
    }
}
