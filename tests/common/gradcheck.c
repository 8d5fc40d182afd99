/* Tests of common/gradcheck: right derivatives pass, wrong ones are noticed. */
#include "tensor/gradcheck.h"

#include <math.h>

#include "check/check.h"

/* f = x0^2 x1 + sin x2 + offset */
static double example(const double *x, size_t n, void *offset) {
    return n == 3 ? x[0] * x[0] * x[1] + sin(x[2]) + *(double *)offset : NAN;
}

Test(gradcheck, numeric_gradient_of_a_known_function, .timeout = 10) {
    double x[3] = {2, -3, 0.5}, gradient[3], offset = 100;
    numeric_gradient(gradient, example, x, 3, 1e-5, &offset);
    float exact[3] = {-12, 4, (float)cos(0.5)};
    CHECK(relative_difference(exact, gradient, 3) < 1e-7, "relative difference %g",
          relative_difference(exact, gradient, 3));
    CHECK(x[0] == 2 && x[1] == -3 && x[2] == 0.5, "x is not restored");
}

/* The mistake a gradient check is for: one of the three derivatives lacks its factor
 * 2. */
Test(gradcheck, wrong_derivative_is_noticed, .timeout = 10) {
    double x[3] = {2, -3, 0.5}, gradient[3], offset = 0;
    numeric_gradient(gradient, example, x, 3, 1e-5, &offset);
    float wrong[3] = {-6, 4, (float)cos(0.5)};
    double difference = relative_difference(wrong, gradient, 3);
    CHECK(fabs(difference - 0.5) < 1e-6, "relative difference %g, expected 6 / 12",
          difference);
}

/* A step of 1e-5 would vanish beside 1e12; it grows with x. */
Test(gradcheck, step_grows_with_x, .timeout = 10) {
    double x[3] = {1e12, 1, 0}, gradient[3], offset = 0;
    numeric_gradient(gradient, example, x, 3, 1e-5, &offset);
    CHECK(fabs(gradient[0] / 2e12 - 1) < 1e-6, "got %g, expected 2e12", gradient[0]);
}

Test(gradcheck, nan_is_the_largest_difference, .timeout = 10) {
    CHECK(isnan(relative_difference((float[]){1, NAN}, (double[]){1, 2}, 2)),
          "a NaN in the first is not noticed");
    CHECK(isnan(relative_difference((float[]){NAN, 1}, (double[]){1, 2}, 2)),
          "a NaN is forgotten again");
}

Test(gradcheck, difference_from_zero_is_absolute, .timeout = 10) {
    double difference = relative_difference((float[]){0.25f, 0}, (double[]){0, 0}, 2);
    CHECK(difference == 0.25, "got %g, expected 0.25", difference);
}
