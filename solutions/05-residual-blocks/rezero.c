/* ReZero. Before you read on: make hint-05 EX=rezero */
#include "05-residual-blocks/rezero.h"

void rezero_forward(float *out, const float *x, const float *branch, float alpha,
                    size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out[i] = x[i] + alpha * branch[i];
}

void rezero_backward(float *dx, float *dbranch, float *dalpha, const float *dout,
                     const float *branch, float alpha, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        if (dx) dx[i] += dout[i];
        if (dbranch) dbranch[i] += alpha * dout[i];
    }
    if (!dalpha) return;
    /* One number depends on all elements: summed by one thread, in order, in double. */
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)dout[i] * (double)branch[i];
    *dalpha += (float)sum;
}
