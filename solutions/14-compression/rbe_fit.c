/* Least squares with eight functions. Before you read on: make hint-14 EX=rbe_fit */
#include "14-compression/rbe_fit.h"

/* Solves a x = b for a symmetric positive definite a by Gaussian elimination; x takes
 * the place of b. */
static void solve(double a[RBE_FUNCTIONS][RBE_FUNCTIONS], double b[RBE_FUNCTIONS]) {
    for (int p = 0; p < RBE_FUNCTIONS; p++) {
        for (int i = p + 1; i < RBE_FUNCTIONS; i++) {
            double factor = a[i][p] / a[p][p];
            for (int j = p; j < RBE_FUNCTIONS; j++) a[i][j] -= factor * a[p][j];
            b[i] -= factor * b[p];
        }
    }
    for (int i = RBE_FUNCTIONS - 1; i >= 0; i--) {
        for (int j = i + 1; j < RBE_FUNCTIONS; j++) b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
}

void rbe_fit(float alpha[RBE_FUNCTIONS], const float *x, const double *phi, size_t n) {
    double a[RBE_FUNCTIONS][RBE_FUNCTIONS] = {{0}}, b[RBE_FUNCTIONS] = {0};
    for (size_t k = 0; k < RBE_FUNCTIONS; k++) {
        for (size_t i = 0; i < n; i++) b[k] += phi[k * n + i] * (double)x[i];
        for (size_t l = 0; l < RBE_FUNCTIONS; l++)
            for (size_t i = 0; i < n; i++) a[k][l] += phi[k * n + i] * phi[l * n + i];
    }
    solve(a, b);
    for (size_t k = 0; k < RBE_FUNCTIONS; k++) alpha[k] = (float)b[k];
}

void rbe_add(float *out, const float *rest, const float alpha[RBE_FUNCTIONS],
             const double *phi, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double sum = (double)rest[i];
        for (size_t k = 0; k < RBE_FUNCTIONS; k++)
            sum += (double)alpha[k] * phi[k * n + i];
        out[i] = (float)sum;
    }
}
