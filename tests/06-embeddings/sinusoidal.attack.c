/* An attack on 06/sinusoidal: the formula in double, for even and odd widths, near and
 * far. */
#include "06-embeddings/sinusoidal.h"

#include <math.h>

#include "check/check.h"

static void check_table(size_t n_positions, size_t dim) {
    float *out = nan_floats(n_positions * dim);
    sinusoidal_table(out, n_positions, dim);
    double *right = as_double(out, n_positions * dim);
    for (size_t p = 0; p < n_positions; p++) {
        for (size_t c = 0; c < dim; c++) {
            double angle = (double)p / pow(10000, (double)(c / 2 * 2) / (double)dim);
            right[p * dim + c] = c % 2 ? cos(angle) : sin(angle);
        }
    }
    CHECK_CLOSE("out", out, right, n_positions * dim, 1e-6);
}

Test(attack, tables) {
    check_table(7, 6);
    check_table(5, 9);
    check_table(100000, 8);
}

/* Rows 0, 1, 2 ... become rows `by` further on, or back. */
static void check_move(size_t from, size_t n, size_t dim, int by) {
    size_t to = (size_t)((long)from + by), last = (from > to ? from : to) + n;
    float *table = nan_floats(last * dim);
    sinusoidal_table(table, last, dim);
    double *right = as_double(table + to * dim, n * dim);
    sinusoidal_move(table + from * dim, n, dim, by);
    CHECK_CLOSE("moved", table + from * dim, right, n * dim, 1e-6);
}

Test(attack, moves) {
    check_move(0, 3, 6, 2);
    check_move(7, 2, 2, -7);
    check_move(7, 2, 2, 0);
    check_move(3, 4, 10, 50000);
}
