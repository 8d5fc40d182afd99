/* The gradient of out = x W + b. Before you read on: make hint-00 EX=matmul_backward */
#include "00-tensors/matmul_backward.h"

#include "matmul.h"

void matmul_backward(float *dx, float *dweight, float *dbias, const float *dout, const float *x,
                     const float *weight, size_t rows, size_t n_in, size_t n_out) {
    if (dx) matmul_a_bt(dx, dout, weight, rows, n_in, n_out, true);
    if (dweight) matmul_at_b(dweight, x, dout, n_in, n_out, rows, true);
    /* A sum over the rows: threads would have to share it, so each takes some of the columns instead. */
    enum { COLUMNS = 256 };
#pragma omp parallel for if (rows * n_out > 1 << 14)
    for (size_t start = 0; start < (dbias ? n_out : 0); start += COLUMNS) {
        size_t end = n_out - start < COLUMNS ? n_out : start + COLUMNS;
        for (size_t r = 0; r < rows; r++) {
            for (size_t j = start; j < end; j++) dbias[j] += dout[r * n_out + j];
        }
    }
}
