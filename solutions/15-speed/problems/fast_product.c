/* Panels of B, packed, that stay while all rows of A go by; a tile of C in
 * registers. */
#include "15-speed/problems/fast_product.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/matmul_pack.h"
#include "kernels/simd.h"

enum { ROWS = TILE_ROWS, VECTORS = TILE_VECTORS, COLUMNS = TILE_COLUMNS };

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

static inline Floats multiply_add(float x, Floats y, Floats sum) {
    UNROLL
    for (size_t lane = 0; lane < SIMD_WIDTH; lane++)
        sum[lane] = fmaf(x, y[lane], sum[lane]);
    return sum;
}

/* A row of A for each row of the tile. */
static void tile(float *c, size_t c_row, const float *const a[ROWS], const float *panel,
                 size_t k) {
    Floats sums[ROWS][VECTORS];
    UNROLL
    for (size_t i = 0; i < ROWS; i++) {
        UNROLL
        for (size_t v = 0; v < VECTORS; v++)
            sums[i][v] = floats_load(c + i * c_row + v * SIMD_WIDTH);
    }
    for (size_t l = 0; l < k; l++) {
        const float *b = panel + l * COLUMNS;
        UNROLL
        for (size_t i = 0; i < ROWS; i++) {
            UNROLL
            for (size_t v = 0; v < VECTORS; v++)
                sums[i][v] =
                    multiply_add(a[i][l], floats_load(b + v * SIMD_WIDTH), sums[i][v]);
        }
    }
    UNROLL
    for (size_t i = 0; i < ROWS; i++) {
        UNROLL
        for (size_t v = 0; v < VECTORS; v++)
            floats_store(c + i * c_row + v * SIMD_WIDTH, sums[i][v]);
    }
}

/* At an edge of C: with the last row of A again and again, beside C. */
static void tile_beside(float *c, size_t c_row, size_t rows, size_t columns,
                        const float *const a[ROWS], const float *panel, size_t k) {
    float beside[ROWS * COLUMNS] = {0};
    for (size_t i = 0; i < rows; i++)
        memcpy(beside + i * COLUMNS, c + i * c_row, columns * sizeof *c);
    tile(beside, COLUMNS, a, panel, k);
    for (size_t i = 0; i < rows; i++)
        memcpy(c + i * c_row, beside + i * COLUMNS, columns * sizeof *c);
}

void fast_product(float *c, const float *a, const float *b, size_t m, size_t n,
                  size_t k) {
    float *panel = checked_aligned_alloc(k * COLUMNS, sizeof *panel);
    for (size_t j = 0; j < n; j += COLUMNS) {
        size_t columns = min(COLUMNS, n - j);
        pack_panels(panel, 0, (View){b + j, n, 1}, k, columns);
        for (size_t i = 0; i < m; i += ROWS) {
            size_t rows = min(ROWS, m - i);
            const float *a_rows[ROWS];
            for (size_t r = 0; r < ROWS; r++)
                a_rows[r] = a + (i + min(r, rows - 1)) * k;
            if (rows == ROWS && columns == COLUMNS)
                tile(c + i * n + j, n, a_rows, panel, k);
            else
                tile_beside(c + i * n + j, n, rows, columns, a_rows, panel, k);
        }
    }
    free(panel);
}
