/* Matrix products: see matmul.h. */
#include "matmul.h"

#include <math.h>

enum { STRIP = 1024 };

/* C = A B for B in row-major order: row l of B is added to row i of C, a strip of columns at a time. */
static void multiply_rows(float *c, const float *a, const float *b, size_t m, size_t n, size_t k,
                          bool accumulate, size_t a_row, size_t a_col) {
    size_t strips = (n + STRIP - 1) / STRIP;
#pragma omp parallel for collapse(2) if (m * n * k > 65536)
    for (size_t s = 0; s < strips; s++) {
        for (size_t i = 0; i < m; i++) {
            size_t start = s * STRIP, width = n - start < STRIP ? n - start : STRIP;
            float *row = c + i * n + start;
            if (!accumulate)
                for (size_t j = 0; j < width; j++) row[j] = 0.0f;
            for (size_t l = 0; l < k; l++) {
                float factor = a[i * a_row + l * a_col];
                const float *b_row = b + l * n + start;
                for (size_t j = 0; j < width; j++) row[j] = fmaf(factor, b_row[j], row[j]);
            }
        }
    }
}

void matmul(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, bool accumulate) {
    multiply_rows(c, a, b, m, n, k, accumulate, k, 1);
}

void matmul_at_b(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, bool accumulate) {
    multiply_rows(c, a, b, m, n, k, accumulate, 1, m);
}

void matmul_a_bt(float *c, const float *a, const float *b, size_t m, size_t n, size_t k, bool accumulate) {
    enum { COLUMNS = 16, DEPTH = 64 };
#pragma omp parallel for if (m * n * k > 65536)
    for (size_t j0 = 0; j0 < n; j0 += COLUMNS) {
        size_t columns = n - j0 < COLUMNS ? n - j0 : COLUMNS;
        if (!accumulate)
            for (size_t i = 0; i < m; i++)
                for (size_t j = 0; j < columns; j++) c[i * n + j0 + j] = 0.0f;
        for (size_t l0 = 0; l0 < k; l0 += DEPTH) {
            size_t depth = k - l0 < DEPTH ? k - l0 : DEPTH;
            float packed[DEPTH][COLUMNS] = {{0}};
            for (size_t j = 0; j < columns; j++)
                for (size_t l = 0; l < depth; l++) packed[l][j] = b[(j0 + j) * k + l0 + l];
            for (size_t i = 0; i < m; i++) {
                float sum[COLUMNS] = {0};
                for (size_t j = 0; j < columns; j++) sum[j] = c[i * n + j0 + j];
                for (size_t l = 0; l < depth; l++) {
                    float factor = a[i * k + l0 + l];
                    for (size_t j = 0; j < COLUMNS; j++) sum[j] = fmaf(factor, packed[l][j], sum[j]);
                }
                for (size_t j = 0; j < columns; j++) c[i * n + j0 + j] = sum[j];
            }
        }
    }
}
