/* Tests of slopes, exponents and means. */
#include "fit.h"

#include <math.h>

#include "check.h"

Test(fit, slope, .timeout = 10) {
    double x[] = {1, 2, 4, 8}, line[] = {5, 3, -1, -9}, bent[] = {0, 1, 0, 1};
    CHECK_NUMBER("the slope of 7 - 2x", fit_slope(x, line, 4), -2, 1e-6);
    CHECK_NUMBER("the slope of a scattered set", fit_slope((double[]){0, 1, 2, 3}, bent, 4), 0.2, 1e-6);
    CHECK(isnan(fit_slope((double[]){1, 1}, line, 2)), "a vertical line has no slope");
}

Test(fit, exponent, .timeout = 10) {
    double x[] = {1, 2, 5, 30}, y[4];
    for (int i = 0; i < 4; i++) y[i] = 3 * pow(x[i], -0.5);
    CHECK_NUMBER("the exponent of 3 x^-0.5", fit_exponent(x, y, 4), -0.5, 1e-6);
    y[2] = -1;
    CHECK(isnan(fit_exponent(x, y, 4)), "a negative number has no logarithm");
}

Test(fit, geometric_mean, .timeout = 10) {
    CHECK_NUMBER("the geometric mean of 1, 2, 4, 8", geometric_mean((double[]){1, 2, 4, 8}, 4), sqrt(8), 1e-6);
}
