/* Expected values of the forward pass for the tests of exercise 01/layernorm, by the
 * formulas of layernorm_plain.h, and the mistakes that they name. */
#ifndef TESTS_CHECK_LAYERNORM_H
#define TESTS_CHECK_LAYERNORM_H

#include <math.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "check/check.h"
#include "layernorm_plain.h"

/* NULL if out is right, else the message. */
static const char *wrong_out(const float *out, const float *x, const float *gain,
                             const float *bias, size_t rows, size_t dim, float eps,
                             double tolerance) {
    if (dim == 1) { /* one number: many mistakes are one and the same 0 / 0 */
        Mistake zero_by_zero = {
            "0 is divided by 0: eps is left out, or dim - 1 stands for dim",
            plain_forward(x, gain, bias, rows, dim, 0, NO_EPS)};
        return compare("out", out,
                       plain_forward(x, gain, bias, rows, dim, (double)eps, RIGHT),
                       rows, tolerance, &zero_by_zero, 1);
    }
    Mistake mistakes[VARIATIONS];
    for (Variation v = RIGHT; v < VARIATIONS; v++) {
        mistakes[v] =
            (Mistake){when[v], plain_forward(x, gain, bias, rows, dim, (double)eps, v)};
    }
    return compare("out", out, mistakes[RIGHT].values, rows * dim, tolerance,
                   mistakes + 1, VARIATIONS - 1);
}

static inline void check_forward(const float *x, const float *gain, const float *bias,
                                 size_t rows, size_t dim, float eps, double tolerance) {
    float *out = nan_floats(rows * dim), *mean = nan_floats(rows),
          *rstd = nan_floats(rows);
    layernorm_forward(out, mean, rstd, x, gain, bias, rows, dim, eps);
    Statistics s = know_pass(x, NULL, gain, bias, rows, dim, (double)eps);
    const char *message = wrong_out(out, x, gain, bias, rows, dim, eps, tolerance);
    CHECK(message == NULL, "%s", message);
    CHECK_CLOSE("mean, which backward needs,", mean, s.mean, rows, 1e-6);
    CHECK_CLOSE("rstd, which backward needs,", rstd, s.rstd, rows, tolerance,
                {"the standard deviation is stored instead of one over it", s.std},
                {"the variance is stored", s.variance},
                {"eps is left out of rstd", s.no_eps});
}

static inline float *ones(size_t n) {
    return equal_floats(n, 1);
}

static inline float *zeros(size_t n) {
    return equal_floats(n, 0);
}

/* LayerNorm of x, and the largest error of it; NaN if there is one. */
static inline double worst_error(float *out, const float *x, size_t rows, size_t dim) {
    float *mean = nan_floats(rows), *rstd = nan_floats(rows);
    layernorm_forward(out, mean, rstd, x, ones(dim), zeros(dim), rows, dim, 1e-5f);
    double *expected = plain_forward(x, NULL, NULL, rows, dim, 1e-5, RIGHT), worst = 0;
    for (size_t i = 0; i < rows * dim; i++) {
        double error = fabs((double)out[i] - expected[i]);
        worst = error > worst || isnan(error) ? error : worst;
    }
    return worst;
}

#endif
