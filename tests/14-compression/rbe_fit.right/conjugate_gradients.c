/* Conjugate gradients: for eight unknowns they end after eight directions, up to
 * rounding; a few more take that away too. */
#include "14-compression/rbe_fit.h"

enum { N = RBE_FUNCTIONS, DIRECTIONS = 3 * N };

/* sum_k a_k phi_k at place i. */
static double smooth(const double a[N], double phi[N][TILE_SIZE], int i) {
    double sum = 0;
    for (int k = 0; k < N; k++) sum += a[k] * phi[k][i];
    return sum;
}

/* out = Phi (Phi^T a). */
static void normal_product(double out[N], const double a[N], double phi[N][TILE_SIZE]) {
    for (int k = 0; k < N; k++) out[k] = 0;
    for (int i = 0; i < TILE_SIZE; i++) {
        double s = smooth(a, phi, i);
        for (int k = 0; k < N; k++) out[k] += s * phi[k][i];
    }
}

static double dot(const double a[N], const double b[N]) {
    double sum = 0;
    for (int k = 0; k < N; k++) sum += a[k] * b[k];
    return sum;
}

void rbe_fit(float alpha[N], const float x[TILE_SIZE], double phi[N][TILE_SIZE]) {
    double a[N] = {0}, left[N] = {0}, direction[N], image[N];
    for (int k = 0; k < N; k++) {
        for (int i = 0; i < TILE_SIZE; i++) left[k] += (double)x[i] * phi[k][i];
        direction[k] = left[k];
    }
    for (int n = 0; n < DIRECTIONS && dot(left, left) > 0; n++) {
        double before = dot(left, left);
        normal_product(image, direction, phi);
        double step = before / dot(direction, image);
        for (int k = 0; k < N; k++) {
            a[k] += step * direction[k];
            left[k] -= step * image[k];
        }
        for (int k = 0; k < N; k++)
            direction[k] = left[k] + dot(left, left) / before * direction[k];
    }
    for (int k = 0; k < N; k++) alpha[k] = (float)a[k];
}

void rbe_add(float out[TILE_SIZE], const float rest[TILE_SIZE], const float alpha[N],
             double phi[N][TILE_SIZE]) {
    double a[N];
    for (int k = 0; k < N; k++) a[k] = (double)alpha[k];
    for (int i = 0; i < TILE_SIZE; i++)
        out[i] = (float)((double)rest[i] + smooth(a, phi, i));
}
