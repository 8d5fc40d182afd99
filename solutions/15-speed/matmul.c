/* A matrix product in blocks. Before you read on: make hint-15 EX=matmul */
#include "15-speed/matmul.h"

#include <math.h>
#include <stdlib.h>

#include "15-speed/pack.h"
#include "base/memory.h"

enum { ROWS = 4, COLUMNS = 32, DEPTH = 256, BLOCK = 4 * COLUMNS };

static size_t min(size_t a, size_t b) {
    return a < b ? a : b;
}

/* rows x columns of C, ROWS x COLUMNS at most. The sums leave C once and come back
 * once. */
static void multiply_tile(float *c, size_t c_row, size_t rows, size_t columns, View a,
                          const float *panel, size_t depth) {
    float sums[ROWS][COLUMNS] = {{0}};
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) sums[i][j] = c[i * c_row + j];
    }
    for (size_t l = 0; l < depth; l++) {
        for (size_t i = 0; i < rows; i++) {
            float x = a.data[i * a.row + l * a.column];
            for (size_t j = 0; j < COLUMNS; j++)
                sums[i][j] = fmaf(x, panel[l * COLUMNS + j], sums[i][j]);
        }
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) c[i * c_row + j] = sums[i][j];
    }
}

/* DEPTH x BLOCK of B is packed, and all rows of A go by. */
void blocked_matmul(float *c, View a, View b, size_t m, size_t n, size_t k) {
    float *panels = checked_alloc(DEPTH * BLOCK, sizeof *panels);
    for (size_t j = 0; j < n; j += BLOCK) {
        for (size_t l = 0; l < k; l += DEPTH) {
            size_t columns = min(BLOCK, n - j), depth = min(DEPTH, k - l);
            pack(panels, view_at(b, l, j), depth, columns, COLUMNS);
            for (size_t i = 0; i < m; i += ROWS) {
                for (size_t p = 0; p < columns; p += COLUMNS)
                    multiply_tile(c + i * n + j + p, n, min(ROWS, m - i),
                                  min(COLUMNS, columns - p), view_at(a, i, l),
                                  panels + p * depth, depth);
            }
        }
    }
    free(panels);
}
