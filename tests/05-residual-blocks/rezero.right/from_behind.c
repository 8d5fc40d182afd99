/* One loop a gradient, the last element first. */
#include "05-residual-blocks/rezero.h"

void rezero_forward(float *out, const float *x, const float *branch, float alpha,
                    size_t n) {
    while (n-- > 0) out[n] = x[n] + alpha * branch[n];
}

void rezero_backward(float *dx, float *dbranch, float *dalpha, const float *dout,
                     const float *branch, float alpha, size_t n) {
    for (size_t i = n; dx != NULL && i-- > 0;) dx[i] = dx[i] + dout[i];
    for (size_t i = n; dbranch != NULL && i-- > 0;)
        dbranch[i] = dbranch[i] + alpha * dout[i];
    double sum = 0;
    for (size_t i = n; dalpha != NULL && i-- > 0;)
        sum += (double)dout[i] * (double)branch[i];
    if (dalpha != NULL) *dalpha += (float)sum;
}
