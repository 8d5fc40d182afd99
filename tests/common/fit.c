/* Tests of slopes, exponents, means, quantiles and differences. */
#include "math/fit.h"

#include <math.h>

#include "check/check.h"

Test(fit, slope, .timeout = 10) {
    double x[] = {1, 2, 4, 8}, line[] = {5, 3, -1, -9}, bent[] = {0, 1, 0, 1};
    CHECK_NUMBER("the slope of 7 - 2x", fit_slope(x, line, 4), -2, 1e-6);
    CHECK_NUMBER("the slope of a scattered set",
                 fit_slope((double[]){0, 1, 2, 3}, bent, 4), 0.2, 1e-6);
    CHECK(isnan(fit_slope((double[]){1, 1}, line, 2)), "a vertical line has no slope");
}

Test(fit, exponent, .timeout = 10) {
    double x[] = {1, 2, 5, 30}, y[4];
    for (int i = 0; i < 4; i++) y[i] = 3 * pow(x[i], -0.5);
    CHECK_NUMBER("the exponent of 3 x^-0.5", fit_exponent(x, y, 4), -0.5, 1e-6);
    y[2] = -1;
    CHECK(isnan(fit_exponent(x, y, 4)), "a negative number has no logarithm");
}

Test(fit, parabola_lowest, .timeout = 10) {
    double x[] = {1, 2, 4, 8, 9}, y[5];
    for (int i = 0; i < 5; i++) y[i] = 5 + 0.3 * pow(x[i] - 3.25, 2);
    CHECK_NUMBER("the lowest point of 5 + 0.3 (x - 3.25)^2",
                 fit_parabola_lowest(x, y, 5), 3.25, 1e-6);
    for (int i = 0; i < 5; i++) y[i] = -y[i];
    CHECK(isnan(fit_parabola_lowest(x, y, 5)),
          "one that opens downwards has no lowest point");
    CHECK(isnan(fit_parabola_lowest((double[]){1, 1, 2}, x, 3)),
          "two places make no parabola");
    /* Around 0 at even distances the parabola of 1, 0, 0, 3 is 0.25 x^2 + 0.3 x -
     * 0.25. */
    CHECK_NUMBER(
        "the lowest point of a scattered set",
        fit_parabola_lowest((double[]){-3, -1, 1, 3}, (double[]){1, 0, 0, 3}, 4), -0.6,
        1e-6);
}

Test(fit, geometric_mean, .timeout = 10) {
    CHECK_NUMBER("the geometric mean of 1, 2, 4, 8",
                 geometric_mean((double[]){1, 2, 4, 8}, 4), sqrt(8), 1e-6);
}

Test(fit, mean_of_last, .timeout = 10) {
    CHECK_NUMBER("the mean of the last 2 of 1, 2, 4, 8",
                 mean_of_last((double[]){1, 2, 4, 8}, 4, 2), 6, 1e-6);
}

Test(fit, quantiles, .timeout = 10) {
    double x[] = {5, 1, 4, 2, 3};
    CHECK(quantile(x, 5, 0.5) == 3, "the median of 1 to 5 is %g", quantile(x, 5, 0.5));
    CHECK(quantile(x, 5, 0.95) == 5,
          "of five the quantile of 0.95 is the largest, got %g", quantile(x, 5, 0.95));
    CHECK(quantile(x, 5, 0) == 1 && quantile(x, 5, 1) == 5,
          "0 is the smallest, 1 the largest");
    CHECK(quantile((double[]){2, 1}, 2, 0.5) == 1, "of two the median is the lower");
    CHECK(quantile((double[]){7}, 1, 0.95) == 7, "of one all are that one");
    CHECK(isnan(quantile(x, 0, 0.5)), "of none there is none");
    double hundred[100];
    for (int i = 0; i < 100; i++) hundred[i] = 100 - i;
    CHECK(quantile(hundred, 100, 0.95) == 95, "95 of 100 do not exceed %g",
          quantile(hundred, 100, 0.95));
}

Test(fit, larger_and_smaller, .timeout = 10) {
    CHECK(larger(1, 2) == 2 && larger(2, 1) == 2 && smaller(1, 2) == 1 &&
              smaller(2, 1) == 1,
          "of 1 and 2");
    CHECK(larger(-INFINITY, 3) == 3 && smaller(INFINITY, 3) == 3,
          "an infinity to begin with");
    CHECK(isnan(larger(NAN, 1)) && isnan(larger(1, NAN)), "larger passes over a NaN");
    CHECK(isnan(smaller(NAN, 1)) && isnan(smaller(1, NAN)),
          "smaller passes over a NaN");
}

Test(fit, largest_difference, .timeout = 10) {
    float a[] = {1, -2, 3}, b[] = {1.5f, 2, 3};
    CHECK(largest_difference(a, b, 3) == 4, "got %g, expected 4",
          largest_difference(a, b, 3));
    CHECK(largest_difference(a, b, 1) == 0.5, "of one: got %g, expected 0.5",
          largest_difference(a, b, 1));
    CHECK(largest_difference(a, b, 0) == 0, "of none: got %g, expected 0",
          largest_difference(a, b, 0));
    CHECK(isnan(largest_difference((float[]){1, NAN, 2}, (float[]){1, 1, 1}, 3)),
          "a NaN is passed over");
}

Test(fit, moments, .timeout = 10) {
    Moments m = moments_of((double[]){2, 4, 9}, 3);
    CHECK(m.mean == 5, "the mean of 2, 4, 9 is %g", m.mean);
    CHECK(fabs(m.deviation - sqrt(13)) < 1e-12,
          "the deviation of 2, 4, 9 is %g, expected sqrt(26 / 2)", m.deviation);
    CHECK(isnan(moments_of((double[]){7}, 1).deviation), "one number has no deviation");
}
