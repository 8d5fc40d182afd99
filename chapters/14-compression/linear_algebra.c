/* Decompositions: see linear_algebra.h. */
#include "14-compression/linear_algebra.h"

#include <math.h>
#include <string.h>

#include "kernels/reduce.h"

bool cholesky(double *a, size_t n) {
    for (size_t j = 0; j < n; j++) {
        double pivot = a[j * n + j];
        for (size_t k = 0; k < j; k++) pivot -= a[j * n + k] * a[j * n + k];
        if (!(pivot > 0)) return false;
        pivot = sqrt(pivot);
        a[j * n + j] = pivot;
#pragma omp parallel for
        for (size_t i = j + 1; i < n; i++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = sum / pivot;
        }
        memset(a + j * n + j + 1, 0, (n - j - 1) * sizeof *a);
    }
    return true;
}

/* Row i of the inverse needs those before it: x_i = (e_i - sum_k<i l_ik x_k) / l_ii. */
void invert_lower(double *l, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double *row = l + i * n, pivot = 1 / row[i];
        row[i] = 1;
        for (size_t k = 0; k < i; k++) { /* columns above k of row k are zeros, so the
                                            factor is not yet touched */
            double factor = row[k];
            row[k] = 0;
            for (size_t j = 0; j <= k; j++) row[j] -= factor * l[k * n + j];
        }
        for (size_t j = 0; j <= i; j++) row[j] *= pivot;
    }
}

/* Twice, because one pass leaves what rounding brought back. */
void orthonormalize(float *a, size_t r, size_t n) {
    for (size_t i = 0; i < r; i++) {
        float *row = a + i * n;
        float before = sqrtf(row_dot(row, row, n));
        for (int pass = 0; pass < 2; pass++) {
            for (size_t k = 0; k < i; k++) {
                float along = row_dot(row, a + k * n, n);
                for (size_t j = 0; j < n; j++) row[j] -= along * a[k * n + j];
            }
        }
        float norm = sqrtf(row_dot(row, row, n)),
              inverse = norm > 1e-6f * before ? 1 / norm : 0;
        for (size_t j = 0; j < n; j++) row[j] *= inverse;
    }
}
