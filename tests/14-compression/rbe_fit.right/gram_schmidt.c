/* Gram-Schmidt: the functions are made orthogonal one after the other, each takes its
 * share of what is left of x, and the shares are taken back to the functions as they
 * were. */
#include "14-compression/rbe_fit.h"

#include <string.h>

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < TILE_SIZE; i++) sum += a[i] * b[i];
    return sum;
}

void rbe_fit(float alpha[RBE_FUNCTIONS], const float x[TILE_SIZE],
             double phi[RBE_FUNCTIONS][TILE_SIZE]) {
    double q[RBE_FUNCTIONS][TILE_SIZE], r[RBE_FUNCTIONS][RBE_FUNCTIONS] = {{0}},
                                        left[TILE_SIZE];
    double share[RBE_FUNCTIONS];
    for (int i = 0; i < TILE_SIZE; i++) left[i] = (double)x[i];
    for (int k = 0; k < RBE_FUNCTIONS; k++) {
        memcpy(q[k], phi[k], sizeof q[k]);
        for (int l = 0; l < k; l++) { /* phi_k = q_k + sum_l r_lk q_l */
            r[l][k] = dot(q[k], q[l]) / dot(q[l], q[l]);
            for (int i = 0; i < TILE_SIZE; i++) q[k][i] -= r[l][k] * q[l][i];
        }
        share[k] = dot(left, q[k]) / dot(q[k], q[k]);
        for (int i = 0; i < TILE_SIZE; i++) left[i] -= share[k] * q[k][i];
    }
    for (int k = RBE_FUNCTIONS - 1; k >= 0; k--) {
        for (int l = k + 1; l < RBE_FUNCTIONS; l++) share[k] -= r[k][l] * share[l];
        alpha[k] = (float)share[k];
    }
}

void rbe_add(float out[TILE_SIZE], const float rest[TILE_SIZE],
             const float alpha[RBE_FUNCTIONS], double phi[RBE_FUNCTIONS][TILE_SIZE]) {
    double sums[TILE_SIZE] = {0};
    for (int k = 0; k < RBE_FUNCTIONS; k++)
        for (int i = 0; i < TILE_SIZE; i++) sums[i] += (double)alpha[k] * phi[k][i];
    for (int i = 0; i < TILE_SIZE; i++) out[i] = (float)(sums[i] + (double)rest[i]);
}
