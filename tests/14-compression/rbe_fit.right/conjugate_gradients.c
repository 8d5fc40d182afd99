/* Conjugate gradients: for eight unknowns they end after eight directions, up to
 * rounding; a few more take that away too. */
#include "14-compression/rbe_fit.h"

enum { K = RBE_FUNCTIONS, DIRECTIONS = 3 * K };

/* sum_k a_k phi_k at place i. */
static double smooth(const double a[K], const double *phi, size_t n, size_t i) {
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += a[k] * phi[k * n + i];
    return sum;
}

/* out = Phi (Phi^T a). */
static void normal_product(double out[K], const double a[K], const double *phi,
                           size_t n) {
    for (size_t k = 0; k < K; k++) out[k] = 0;
    for (size_t i = 0; i < n; i++) {
        double s = smooth(a, phi, n, i);
        for (size_t k = 0; k < K; k++) out[k] += s * phi[k * n + i];
    }
}

static double dot(const double a[K], const double b[K]) {
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += a[k] * b[k];
    return sum;
}

void rbe_fit(float alpha[K], const float *x, const double *phi, size_t n) {
    double a[K] = {0}, left[K] = {0}, direction[K], image[K];
    for (size_t k = 0; k < K; k++) {
        for (size_t i = 0; i < n; i++) left[k] += (double)x[i] * phi[k * n + i];
        direction[k] = left[k];
    }
    for (int step = 0; step < DIRECTIONS && dot(left, left) > 0; step++) {
        double before = dot(left, left);
        normal_product(image, direction, phi, n);
        double length = before / dot(direction, image);
        for (size_t k = 0; k < K; k++) {
            a[k] += length * direction[k];
            left[k] -= length * image[k];
        }
        for (size_t k = 0; k < K; k++)
            direction[k] = left[k] + dot(left, left) / before * direction[k];
    }
    for (size_t k = 0; k < K; k++) alpha[k] = (float)a[k];
}

void rbe_add(float *out, const float *rest, const float alpha[K], const double *phi,
             size_t n) {
    double a[K];
    for (size_t k = 0; k < K; k++) a[k] = (double)alpha[k];
    for (size_t i = 0; i < n; i++)
        out[i] = (float)((double)rest[i] + smooth(a, phi, n, i));
}
