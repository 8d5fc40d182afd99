/* An attack on 03/prmsnorm: both passes by their formulas in double, with a part and
 * with the whole row, and a large eps. */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

#include "check/check.h"

static void check_rows(size_t rows, size_t dim, size_t part, bool has_gain) {
    size_t n = rows * dim;
    float *x = normal_floats(n, 0.5, 1),
          *gain = has_gain ? normal_floats(dim, 1, 2) : NULL;
    float *dout = normal_floats(n, 1, 3), *out = nan_floats(n),
          *rrms = nan_floats(rows);
    float *dx = ones_and_a_half(n), *dgain = ones_and_a_half(dim),
          *float_rrms = nan_floats(rows);
    double *right = as_double(x, n), *right_dx = as_double(dx, n),
           *right_dgain = as_double(dgain, dim);
    for (size_t r = 0; r < rows; r++) {
        double square = 0, sum = 0;
        for (size_t i = r * dim; i < r * dim + part; i++)
            square += right[i] * right[i] / (double)part;
        double scale = 1 / sqrt(square + 0.1);
        float_rrms[r] = (float)scale;
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i], xhat = (double)x[r * dim + i] * scale;
            double g = gain ? (double)gain[i] : 1;
            right[r * dim + i] = xhat * g;
            right_dgain[i] += d * xhat;
            sum += d * g * xhat;
        }
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i],
                   xhat = i < part ? (double)x[r * dim + i] * scale : 0;
            right_dx[r * dim + i] +=
                scale * (d * (gain ? (double)gain[i] : 1) - xhat * sum / (double)part);
        }
    }
    prmsnorm_forward(out, rrms, x, gain, rows, dim, part, 0.1f);
    CHECK_CLOSE("out", out, right, n, 1e-5);
    CHECK_CLOSE("rrms", rrms, as_double(float_rrms, rows), rows, 1e-5);
    prmsnorm_backward(dx, dgain, dout, x, float_rrms, gain, rows, dim, part);
    CHECK_CLOSE("dx", dx, right_dx, n, 1e-5);
    CHECK_CLOSE("dgain", dgain, right_dgain, dim, 1e-5);
    prmsnorm_backward(NULL, NULL, dout, x, float_rrms, gain, rows, dim, part);
}

Test(attack, formulas) {
    check_rows(5, 7, 3, true);
    check_rows(5, 7, 3, false);
    check_rows(3, 40, 40, true);
}
