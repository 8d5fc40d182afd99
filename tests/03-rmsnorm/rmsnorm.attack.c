/* An attack on 03/rmsnorm: both passes by their formulas in double, with an eps as
 * large as the mean square, and rows of zeros. */
#include "03-rmsnorm/rmsnorm.h"

#include <math.h>

#include "check/check.h"

static void check_rows(size_t rows, size_t dim, float eps, float offset,
                       bool has_gain) {
    size_t n = rows * dim;
    float *x = normal_floats(n, 0.5, 1),
          *gain = has_gain ? normal_floats(dim, 1, 2) : NULL;
    float *dout = normal_floats(n, 1, 3), *out = nan_floats(n),
          *rrms = nan_floats(rows);
    float *dx = ones_and_a_half(n), *dgain = ones_and_a_half(dim),
          *float_rrms = nan_floats(rows);
    for (size_t i = 0; i < n; i++) x[i] += offset;
    double *right = as_double(x, n), *right_dx = as_double(dx, n),
           *right_dgain = as_double(dgain, dim);
    for (size_t r = 0; r < rows; r++) {
        double square = 0, mean = 0;
        for (size_t i = r * dim; i < (r + 1) * dim; i++)
            square += right[i] * right[i] / (double)dim;
        double scale = 1 / sqrt(square + (double)eps);
        float_rrms[r] = (float)scale;
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i], xhat = (double)x[r * dim + i] * scale;
            double g = gain ? (double)gain[i] : 1;
            right[r * dim + i] = xhat * g;
            right_dgain[i] += d * xhat;
            mean += d * g * xhat / (double)dim;
        }
        for (size_t i = 0; i < dim; i++) {
            double d = (double)dout[r * dim + i], g = gain ? (double)gain[i] : 1;
            right_dx[r * dim + i] +=
                scale * (d * g - (double)x[r * dim + i] * scale * mean);
        }
    }
    rmsnorm_forward(out, rrms, x, gain, rows, dim, eps);
    CHECK_CLOSE("out", out, right, n, 1e-5);
    CHECK_CLOSE("rrms", rrms, as_double(float_rrms, rows), rows, 1e-5);
    rmsnorm_backward(dx, dgain, dout, x, float_rrms, gain, rows, dim);
    CHECK_CLOSE("dx", dx, right_dx, n, 1e-5);
    CHECK_CLOSE("dgain", dgain, right_dgain, dim, 1e-5);
    rmsnorm_backward(NULL, NULL, dout, x, float_rrms, gain, rows, dim);
}

Test(attack, formulas) {
    check_rows(5, 4, 0.1f, 1, true);
    check_rows(5, 4, 0.1f, 1, false);
    check_rows(5, 17, 1e-5f, 0, true);
    check_rows(3, 5000, 1e-5f, 0, true);
}

Test(attack, row_of_zeros) {
    float x[3] = {0}, out[3], rrms;
    rmsnorm_forward(out, &rrms, x, NULL, 1, 3, 1e-5f);
    CHECK_CLOSE("out", out, as_double(x, 3), 3, 1e-6);
}
