/* dx as two terms: what flows through the factor, and what flows through x in rrms^3 /
 * part, which only measured elements get. */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

#include "kernels/reduce.h"

static float gain_at(const float *gain, size_t i) {
    return gain ? gain[i] : 1.0f;
}

void prmsnorm_forward(float *out, float *rrms, const float *x, const float *gain,
                      size_t rows, size_t dim, size_t part, float eps) {
    for (size_t r = 0; r < rows; r++) {
        rrms[r] =
            1.0f / sqrtf(row_dot(x + r * dim, x + r * dim, part) / (float)part + eps);
        for (size_t i = r * dim; i < (r + 1) * dim; i++)
            out[i] = gain_at(gain, i - r * dim) * x[i] * rrms[r];
    }
}

void prmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x,
                       const float *rrms, const float *gain, size_t rows, size_t dim,
                       size_t part) {
    for (size_t r = 0; dx && r < rows; r++) {
        double products = 0, cube = pow((double)rrms[r], 3) / (double)part;
        for (size_t i = r * dim; i < (r + 1) * dim; i++)
            products +=
                (double)dout[i] * (double)gain_at(gain, i - r * dim) * (double)x[i];
        for (size_t i = r * dim; i < (r + 1) * dim; i++) {
            dx[i] += dout[i] * gain_at(gain, i - r * dim) * rrms[r];
            if (i - r * dim < part) dx[i] -= (float)(products * cube * (double)x[i]);
        }
    }
    for (size_t i = 0; dgain && i < dim; i++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++)
            sum += (double)(dout[r * dim + i] * x[r * dim + i] * rrms[r]);
        dgain[i] += (float)sum;
    }
}
