/* Each element of each gradient is one sum in double, added at the end. */
#include "00-tensors/matmul_backward.h"

void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout,
                     const float *x, const float *weight, size_t rows, size_t n_in,
                     size_t n_out) {
    for (size_t k = 0; dx && k < rows * n_in; k++) {
        double sum = 0;
        for (size_t j = 0; j < n_out; j++)
            sum += (double)dout[k / n_in * n_out + j] *
                   (double)weight[k % n_in * n_out + j];
        dx[k] += (float)sum;
    }
    for (size_t k = 0; dweight && k < n_in * n_out; k++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++)
            sum +=
                (double)x[r * n_in + k / n_out] * (double)dout[r * n_out + k % n_out];
        dweight[k] += (float)sum;
    }
    for (size_t j = 0; dbias && j < n_out; j++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++) sum += (double)dout[r * n_out + j];
        dbias[j] += (float)sum;
    }
}
