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
