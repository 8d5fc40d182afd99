/* D X D^T and D^T X D are one product of three matrices; all cosines are among 4 side;
 * the largest are taken one by one. */
#include "14-compression/dct_topk.h"

#include <math.h>
#include <stdbool.h>

void dct_matrix(float *d, size_t side) {
    double cosines[4 * MOST_SIDE];
    for (size_t n = 0; n < 4 * side; n++)
        cosines[n] = cos(2 * M_PI * (double)n / (4 * (double)side));
    for (size_t i = 0; i < side; i++) {
        d[i] = (float)sqrt(1 / (double)side);
        for (size_t u = 1; u < side; u++)
            d[u * side + i] =
                (float)(cosines[(2 * i + 1) * u % (4 * side)] / sqrt((double)side / 2));
    }
}

/* out = A X A^T; element [i][j] of A is a[i * down + j * across]. */
static void product(float *out, const float *x, const float *a, size_t side,
                    size_t down, size_t across) {
    double half[MOST_PLACES] = {0};
    for (size_t i = 0; i < side; i++)
        for (size_t k = 0; k < side; k++)
            for (size_t j = 0; j < side; j++)
                half[i * side + j] +=
                    (double)a[i * down + k * across] * (double)x[k * side + j];
    for (size_t i = 0; i < side; i++) {
        for (size_t j = 0; j < side; j++) {
            double sum = 0;
            for (size_t k = 0; k < side; k++)
                sum += half[i * side + k] * (double)a[j * down + k * across];
            out[i * side + j] = (float)sum;
        }
    }
}

void dct_forward(float *out, const float *x, const float *d, size_t side) {
    product(out, x, d, side, side, 1);
}

void dct_inverse(float *out, const float *t, const float *d, size_t side) {
    product(out, t, d, side, 1, side);
}

void top_k_places(uint16_t *places, const float *t, size_t n, size_t k) {
    bool taken[MOST_PLACES] = {false};
    for (size_t found = 0; found < k; found++) {
        size_t largest = n;
        for (size_t i = 0; i < n; i++) {
            if (!taken[i] && (largest == n || fabsf(t[i]) > fabsf(t[largest])))
                largest = i;
        }
        taken[largest] = true;
    }
    for (size_t i = 0; i < n; i++) {
        if (taken[i]) *places++ = (uint16_t)i;
    }
}
