/* The gradient of out = x W + b. Before you read on: make hint-00 EX=matmul_backward */
#include "00-tensors/matmul_backward.h"

#include "kernels/matmul.h"

void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout,
                     const float *x, const float *weight, size_t rows, size_t n_in,
                     size_t n_out) {
    /* dx += dout W^T */
    if (dx) matmul_a_bt(dx, dout, weight, rows, n_in, n_out, true);
    /* dW += x^T dout */
    if (dweight) matmul_at_b(dweight, x, dout, n_in, n_out, rows, true);
    /* db += dout, summed over the rows */
    if (dbias) {
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = 0; j < n_out; j++) dbias[j] += dout[r * n_out + j];
        }
    }
}
