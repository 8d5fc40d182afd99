/* The slopes of both GELUs as the lesson derives them, and the same without a part of
 * them, against central differences of GELU in double. */
#include <math.h>
#include <stdio.h>

#include "04-ffn-swiglu/experiments/experiments.h"
#include "04-ffn-swiglu/experiments/gelu_approximations.h"
#include "04-ffn-swiglu/gelu.h"
#include "program/claim.h"
#include "math/fit.h"
#include "math/fmath.h"
#include "tensor/gradcheck.h"

static const double ROOT = 0.79788456080286536, CUBIC = 0.044715; /* sqrt(2 / pi) */

static double tanh_of(double u) {
    return 1 - 2 / (exp_double(2 * u) + 1);
}

static double exact(const double *x, size_t n, void *context) {
    (void)n;
    (void)context;
    return gelu_exact(*x);
}

static double by_tanh(const double *x, size_t n, void *context) {
    (void)n;
    (void)context;
    return 0.5 * *x * (1 + tanh_of(ROOT * (*x + CUBIC * *x * *x * *x)));
}

/* The parts of a slope: that of x times the step, and x times that of the step, which
 * is the slope of the outer function at u times u'. */
typedef struct {
    double step, outer, inner;
} Slope;

static Slope exact_slope(double x) {
    return (Slope){0.5 * erfc(-x * sqrt(0.5)), 0.5 * ROOT * exp_double(-x * x / 2), 1};
}

static Slope tanh_slope(double x) {
    double th = tanh_of(ROOT * (x + CUBIC * x * x * x));
    return (Slope){0.5 * (1 + th), 0.5 * (1 - th * th), ROOT * (1 + 3 * CUBIC * x * x)};
}

enum { WHOLE, KERNEL, STEP_ALONE, NO_INNER, WAYS };

/* The largest distance of each way from the differences, over -6 <= x <= 6. */
static void measure(double error[WAYS], ScalarFunction *f, Slope (*slope_of)(double x),
                    void (*backward)(float *dx, const float *dout, const float *x,
                                     size_t n)) {
    for (size_t w = 0; w < WAYS; w++) error[w] = 0;
    for (int i = -192; i <= 192; i++) {
        float at = (float)i / 32, one = 1, by_kernel = 0;
        double x = (double)at, numeric;
        numeric_gradient(&numeric, f, &x, 1, 3e-5, NULL);
        backward(&by_kernel, &one, &at, 1);
        Slope s = slope_of(x);
        const double ways[WAYS] = {s.step + x * s.outer * s.inner, (double)by_kernel,
                                   s.step, s.step + x * s.outer};
        for (size_t w = 0; w < WAYS; w++)
            error[w] = larger(error[w], fabs(ways[w] - numeric));
    }
}

void experiment_derivation(const Settings *settings) {
    (void)settings;
    double e[WAYS], t[WAYS];
    measure(e, exact, exact_slope, gelu_erf_backward);
    measure(t, by_tanh, tanh_slope, gelu_tanh_backward);
    printf("slopes of GELU against central differences, largest distance for -6 <= x "
           "<= 6\n");
    printf("form    the formula  the kernel  first term alone  without u'\n");
    printf("exact   %11.0e  %10.0e  %16.2f           -\n", e[WHOLE], e[KERNEL],
           e[STEP_ALONE]);
    printf("tanh    %11.0e  %10.0e  %16.2f  %10.2f\n", t[WHOLE], t[KERNEL],
           t[STEP_ALONE], t[NO_INNER]);
    double right = larger(e[WHOLE], t[WHOLE]), kernel = larger(e[KERNEL], t[KERNEL]);
    claim(right < 1e-8 && kernel < 1e-5,
          "formulas within %.0e (1e-8) and kernels within %.0e (1e-5)", right, kernel);
    double wrong = smaller(smaller(e[STEP_ALONE], t[STEP_ALONE]), t[NO_INNER]);
    claim(wrong > 0.01, "without a part they are off by %.2f or more (0.01)", wrong);
}
