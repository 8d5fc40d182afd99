/* Tests of what measures the forms of GELU: the exact one in double, the table, the
 * search for the worst. */
#include "04-ffn-swiglu/experiments/gelu_approximations.h"

#include <math.h>

#include "check/check.h"

/* From the series of erf, summed with 60 digits. */
Test(gelu_approximations, exact_has_all_digits_below_zero, .timeout = 10) {
    const double x[] = {-6, -5, -1, 0, 1, 5};
    const double expected[] = {-5.91952587022619e-09, -1.43325785939597e-06,
                               -0.158655253931457,    0,
                               0.841344746068543,     4.99999856674214};
    for (size_t i = 0; i < 6; i++) {
        double off = fabs(gelu_exact(x[i]) - expected[i]);
        CHECK(off <= 1e-13 * fabs(expected[i]),
              "gelu_exact(%g) = %.15g, expected %.15g", x[i], gelu_exact(x[i]),
              expected[i]);
    }
}

Test(gelu_approximations, table_is_exact_at_its_places, .timeout = 10) {
    enum { INTERVALS = 32, N = INTERVALS + 1 };
    float x[N], out[N];
    for (size_t i = 0; i < N; i++) x[i] = (float)i * 0.5f - 8.0f;
    gelu_table(out, x, N, INTERVALS);
    for (size_t i = 0; i < N; i++) {
        CHECK(out[i] == (float)gelu_exact((double)x[i]),
              "at %g the table has %g, expected %g", (double)x[i], (double)out[i],
              gelu_exact((double)x[i]));
    }
}

Test(gelu_approximations, table_between_and_outside, .timeout = 10) {
    float x[] = {0.25f, -100.0f, 100.0f}, out[3];
    gelu_table(out, x, 3, 32);
    CHECK_NUMBER("the middle of 0 and 0.5", out[0], 0.5 * gelu_exact(0.5), 1e-6);
    CHECK(fabsf(out[1]) < 1e-6f && out[2] == 100.0f,
          "outside the table: %g and %g, expected 0 and 100", (double)out[1],
          (double)out[2]);
}

/* Right everywhere, but for 0.25 too much at x = -2 and 0.0001 too much at x = -5. */
static void wrong_at_two_places(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        out[i] = (float)gelu_exact((double)x[i]) + (x[i] == -2.0f   ? 0.25f
                                                    : x[i] == -5.0f ? 1e-4f
                                                                    : 0.0f);
    }
}

Test(gelu_approximations, worst_error_is_found, .timeout = 10) {
    Worst w = worst_error(wrong_at_two_places);
    CHECK(fabs(w.error - 0.25) < 1e-6 && w.x == -2,
          "the largest error is %g at %g, expected 0.25 at -2", w.error, w.x);
    CHECK(w.ulps_x == -5, "in ulp it is %g at %g, expected at -5", w.ulps, w.ulps_x);
    CHECK(fabs(w.ulps / (1e-4 / 0x1p-43) - 1) < 0.01, "that is %g ulp, expected %g",
          w.ulps, 1e-4 / 0x1p-43);
}
