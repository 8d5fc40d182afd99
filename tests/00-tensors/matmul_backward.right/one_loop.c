/* Every product x[r][i] * W[i][j] is met once, and what flows back through it is added
 * on both sides. */
#include "00-tensors/matmul_backward.h"

void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout,
                     const float *x, const float *weight, size_t rows, size_t n_in,
                     size_t n_out) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t j = 0; j < n_out; j++) {
            float d = dout[r * n_out + j];
            if (dbias) dbias[j] += d;
            for (size_t i = 0; i < n_in; i++) {
                if (dx) dx[r * n_in + i] += d * weight[i * n_out + j];
                if (dweight) dweight[i * n_out + j] += d * x[r * n_in + i];
            }
        }
    }
}
