/* Gram-Schmidt: the functions are made orthogonal one after the other, each takes its
 * share of what is left of x, and the shares are taken back to the functions as they
 * were. */
#include "14-compression/rbe_fit.h"

#include <string.h>

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

void rbe_fit(float alpha[RBE_FUNCTIONS], const float *x, const double *phi, size_t n) {
    double q[RBE_FUNCTIONS][MOST_PLACES], r[RBE_FUNCTIONS][RBE_FUNCTIONS] = {{0}},
                                          left[MOST_PLACES];
    double share[RBE_FUNCTIONS];
    for (size_t i = 0; i < n; i++) left[i] = (double)x[i];
    for (size_t k = 0; k < RBE_FUNCTIONS; k++) {
        memcpy(q[k], phi + k * n, n * sizeof *phi);
        for (size_t l = 0; l < k; l++) { /* phi_k = q_k + sum_l r_lk q_l */
            r[l][k] = dot(q[k], q[l], n) / dot(q[l], q[l], n);
            for (size_t i = 0; i < n; i++) q[k][i] -= r[l][k] * q[l][i];
        }
        share[k] = dot(left, q[k], n) / dot(q[k], q[k], n);
        for (size_t i = 0; i < n; i++) left[i] -= share[k] * q[k][i];
    }
    for (int k = RBE_FUNCTIONS - 1; k >= 0; k--) {
        for (int l = k + 1; l < RBE_FUNCTIONS; l++) share[k] -= r[k][l] * share[l];
        alpha[k] = (float)share[k];
    }
}

void rbe_add(float *out, const float *rest, const float alpha[RBE_FUNCTIONS],
             const double *phi, size_t n) {
    double sums[MOST_PLACES] = {0};
    for (size_t k = 0; k < RBE_FUNCTIONS; k++)
        for (size_t i = 0; i < n; i++) sums[i] += (double)alpha[k] * phi[k * n + i];
    for (size_t i = 0; i < n; i++) out[i] = (float)(sums[i] + (double)rest[i]);
}
