/* An attack on 04/gelu: all four functions by their formulas in double, from -30 to
 * 30. */
#include "04-ffn-swiglu/gelu.h"

#include <math.h>

#include "check/check.h"

enum { N = 601 };

static const double ROOT = 0.79788456080286536,
                    ONE_OVER_SQRT_2_PI = 0.39894228040143268;

static void check_function(void (*forward)(float *, const float *, size_t),
                           void (*backward)(float *, const float *, const float *,
                                            size_t),
                           bool by_tanh) {
    float x[N + 1], *out = nan_floats(N + 1), *dout = normal_floats(N, 1, 1),
                    *dx = ones_and_a_half(N);
    double right[N], right_dx[N];
    for (size_t i = 0; i < N; i++) {
        double v = (double)(x[i] = ((float)i - N / 2) / 10),
               th = tanh(ROOT * (v + 0.044715 * v * v * v));
        double slope = (1 - th * th) * ROOT * (1 + 3 * 0.044715 * v * v);
        double cdf = by_tanh ? 0.5 * (1 + th) : 0.5 * (1 + erf(v * sqrt(0.5)));
        right[i] = v * cdf;
        right_dx[i] =
            1.5 + (double)dout[i] *
                      (cdf + v * (by_tanh ? 0.5 * slope
                                          : ONE_OVER_SQRT_2_PI * exp(-v * v / 2)));
    }
    forward(out, x, N);
    for (size_t i = 0; i < N; i++)
        CHECK(fabs((double)out[i] - right[i]) < 2e-6 * fmax(1, fabs(right[i])),
              "gelu(%g) is %g, expected %g", (double)x[i], (double)out[i], right[i]);
    backward(dx, dout, x, N);
    CHECK_CLOSE("dx", dx, right_dx, N, 1e-5);
}

Test(attack, tanh) {
    check_function(gelu_tanh_forward, gelu_tanh_backward, true);
}

Test(attack, erf) {
    check_function(gelu_erf_forward, gelu_erf_backward, false);
}
