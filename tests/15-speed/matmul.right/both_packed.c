/* A is packed as well: its transposed view has the rows of A for columns. */
#include <math.h>
#include <stdlib.h>

#include "15-speed/matmul.h"
#include "15-speed/pack.h"
#include "base/memory.h"

enum { ROWS = 6, COLUMNS = 16, DEPTH = 100, BLOCK_ROWS = 48 };

void blocked_matmul(float *c, View a, View b, size_t m, size_t n, size_t k) {
    float *b_packed = checked_alloc((n + COLUMNS) * DEPTH, sizeof *b_packed);
    float *a_packed = checked_alloc(BLOCK_ROWS * DEPTH, sizeof *a_packed);
    for (size_t l = 0; l < k; l += DEPTH) {
        size_t depth = k - l < DEPTH ? k - l : DEPTH;
        pack(b_packed, view_at(b, l, 0), depth, n, COLUMNS);
        for (size_t i = 0; i < m; i += BLOCK_ROWS) {
            size_t rows = m - i < BLOCK_ROWS ? m - i : BLOCK_ROWS;
            pack(a_packed, (View){view_at(a, i, l).data, a.column, a.row}, depth, rows,
                 ROWS);
            for (size_t r = 0; r < rows; r++) {
                for (size_t j = 0; j < n; j++) {
                    const float *x = a_packed + r / ROWS * ROWS * depth + r % ROWS;
                    const float *y =
                        b_packed + j / COLUMNS * COLUMNS * depth + j % COLUMNS;
                    float sum = c[(i + r) * n + j];
                    for (size_t d = 0; d < depth; d++)
                        sum = fmaf(x[d * ROWS], y[d * COLUMNS], sum);
                    c[(i + r) * n + j] = sum;
                }
            }
        }
    }
    free(a_packed);
    free(b_packed);
}
