/* Tests of exercise 04/gelu: PyTorch's numbers, the constants that are often mixed up,
 * slopes, large inputs. */
#include "04-ffn-swiglu/gelu.h"

#include <math.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

static const double PI = 3.14159265358979323846;

/* GELU in double, with the mistakes that are often made as variations. */
typedef enum {
    TANH,
    ERF,
    SEED_1_702, /* 0.5 x (1 + tanh(1.702 x)): the factor of the sigmoid form in the tanh
                   form */
    SIGMOID,    /* x sigmoid(1.702 x) */
    NO_CUBE,    /* tanh(sqrt(2/pi) x) */
    NO_ROOT,    /* tanh(x + 0.044715 x^3) */
    CUBE_INSIDE, /* the factor sqrt(2/pi) for x alone */
    NO_HALF,
    NO_SQRT_2, /* erf(x) */
    ZERO_LOST, /* 0.44715 for 0.044715 */
    SILU,
} Variation;

static double gelu(double x, Variation v) {
    double root = sqrt(2 / PI), cube = 0.044715 * x * x * x;
    switch (v) {
    case TANH:
        return 0.5 * x * (1 + tanh(root * (x + cube)));
    case ERF:
        return 0.5 * x * (1 + erf(x / sqrt(2)));
    case SEED_1_702:
        return 0.5 * x * (1 + tanh(1.702 * x));
    case SIGMOID:
        return x / (1 + exp(-1.702 * x));
    case NO_CUBE:
        return 0.5 * x * (1 + tanh(root * x));
    case NO_ROOT:
        return 0.5 * x * (1 + tanh(x + cube));
    case CUBE_INSIDE:
        return 0.5 * x * (1 + tanh(root * x + cube));
    case NO_HALF:
        return x * (1 + tanh(root * (x + cube)));
    case NO_SQRT_2:
        return 0.5 * x * (1 + erf(x));
    case ZERO_LOST:
        return 0.5 * x * (1 + tanh(root * (x + 10 * cube)));
    case SILU:
        return x / (1 + exp(-x));
    }
    return NAN;
}

static const double *all(const float *x, size_t n, Variation v) {
    double *out = checked_alloc(n, sizeof *out);
    for (size_t i = 0; i < n; i++) out[i] = gelu((double)x[i], v);
    return out;
}

/* See known.h. The slopes need x, dout, and what GELU is made of. */
static void know_pass(const float *x, const float *dout, size_t n) {
    double *distribution = checked_alloc(n, sizeof(double)),
           *density = checked_alloc(n, sizeof(double)),
           *tanh_u = checked_alloc(n, sizeof(double)),
           *erf_first = checked_alloc(n, sizeof(double)),
           *erf_second = checked_alloc(n, sizeof(double)),
           *tanh_first = checked_alloc(n, sizeof(double)),
           *tanh_second = checked_alloc(n, sizeof(double));
    for (size_t i = 0; i < n; i++) {
        double a = (double)x[i];
        distribution[i] = 0.5 * (1 + erf(a / sqrt(2)));
        density[i] = exp(-a * a / 2) / sqrt(2 * PI);
        tanh_u[i] = tanh(sqrt(2 / PI) * (a + 0.044715 * a * a * a));
    }
    AXES({"element", "n", n});
    KNOW(x, "element");
    KNOW(dout, "element");
    KNOW_AS("gelu(x)", all(x, n, ERF), "element");
    KNOW_AS("Phi(x)", distribution, "element");
    KNOW_AS("phi(x)", density, "element");
    KNOW_AS("tanh(u)", tanh_u, "element");
    for (size_t i = 0; i < n && dout; i++) {
        double a = (double)x[i], t = tanh_u[i], root = sqrt(2 / PI);
        erf_first[i] = (double)dout[i] * distribution[i];
        erf_second[i] = (double)dout[i] * a * density[i];
        tanh_first[i] = (double)dout[i] * 0.5 * (1 + t);
        tanh_second[i] =
            (double)dout[i] * 0.5 * a * (1 - t * t) * root * (1 + 3 * 0.044715 * a * a);
    }
    KNOW_AS("dout * Phi(x)", dout ? erf_first : NULL, "element");
    KNOW_AS("dout * x phi(x)", dout ? erf_second : NULL, "element");
    KNOW_AS("dout * 0.5 (1 + tanh(u))", dout ? tanh_first : NULL, "element");
    KNOW_AS("dout * 0.5 x (1 - tanh(u)^2) u'", dout ? tanh_second : NULL, "element");
    know_number("pi", PI);
    know_number("2 pi", 2 * PI);
    know_number("sqrt(2 pi)", sqrt(2 * PI));
}

/* The argument u of the learner's tanh or erf, from out = 0.5 x (1 + f(u)); where f is
 * nearly -1 or 1, it cannot be found. */
static void know_argument(const float *out, const float *x, size_t n, bool is_tanh) {
    double *got = checked_alloc(n, sizeof *got),
           *right = checked_alloc(n, sizeof *right),
           *linear = checked_alloc(n, sizeof *linear),
           *cubic = checked_alloc(n, sizeof *cubic);
    for (size_t i = 0; i < n; i++) {
        double a = (double)x[i], f = 2 * (double)out[i] / a - 1;
        linear[i] = is_tanh ? sqrt(2 / PI) * a : a / sqrt(2);
        cubic[i] = sqrt(2 / PI) * 0.044715 * a * a * a;
        right[i] = linear[i] + (is_tanh ? cubic[i] : 0);
        got[i] = atanh(f);
        for (int k = 0; k < 30 && !is_tanh; k++)
            got[i] -= (erf(got[i]) - f) * exp(got[i] * got[i]) * sqrt(PI) / 2;
        if (!(fabs(f) < 0.9) || fabs(a) < 0.1) got[i] = NAN;
    }
    KNOW_AS(is_tanh ? "sqrt(2/pi) x" : "x / sqrt(2)", linear, "element");
    if (is_tanh) KNOW_AS("sqrt(2/pi) 0.044715 x^3", cubic, "element");
    know_number("sqrt(2)", sqrt(2));
    know_inside(is_tanh ? "what tanh is of" : "what erf is of", got, right, n, 1e-5);
}

/* The learner's u' from dx = dout (0.5 (1 + tanh u) + 0.5 x (1 - tanh^2 u) u'), where
 * something is left of it. */
static void know_inner_slope(const float *dx, const float *x, const float *dout,
                             size_t n) {
    double *got = checked_alloc(n, sizeof *got),
           *right = checked_alloc(n, sizeof *right),
           *root = checked_alloc(n, sizeof *root),
           *square = checked_alloc(n, sizeof *square);
    for (size_t i = 0; i < n; i++) {
        double a = (double)x[i], t = tanh(sqrt(2 / PI) * (a + 0.044715 * a * a * a));
        double factor = 0.5 * a * (1 - t * t);
        root[i] = sqrt(2 / PI);
        square[i] = root[i] * 3 * 0.044715 * a * a;
        right[i] = root[i] + square[i];
        got[i] = (((double)dx[i] - 1.5) / (double)dout[i] - 0.5 * (1 + t)) / factor;
        if (fabs(factor * (double)dout[i]) < 0.02) got[i] = NAN;
    }
    KNOW_AS("sqrt(2/pi)", root, "element");
    KNOW_AS("sqrt(2/pi) 3 * 0.044715 x^2", square, "element");
    know_inside("u'", got, right, n, 3e-5);
}

/* The argument of the learner's exp, from dx = dout (Phi(x) + x exp(...) / sqrt(2 pi)),
 * where it can be found. */
static void know_exponent(const float *dx, const float *x, const float *dout,
                          size_t n) {
    double *got = checked_alloc(n, sizeof *got),
           *right = checked_alloc(n, sizeof *right);
    for (size_t i = 0; i < n; i++) {
        double a = (double)x[i], slope = ((double)dx[i] - 1.5) / (double)dout[i];
        double density = (slope - 0.5 * (1 + erf(a / sqrt(2)))) / a;
        right[i] = -a * a / 2;
        got[i] = log(density * sqrt(2 * PI));
        if (fabs(a * density * (double)dout[i]) < 0.02) got[i] = NAN;
    }
    know_inside("what exp is of", got, right, n, 3e-5);
}

#define FORWARD_MISTAKES                                                               \
    {"tanh(1.702 x) is used: 1.702 belongs to x * sigmoid(1.702 x)",                   \
     all(x, n, SEED_1_702)},                                                           \
        {"x * sigmoid(1.702 x) is used", all(x, n, SIGMOID)},                          \
        {"the term 0.044715 x^3 is left out", all(x, n, NO_CUBE)},                     \
        {"0.44715 stands for 0.044715", all(x, n, ZERO_LOST)},                         \
        {"sqrt(2/pi) is left out", all(x, n, NO_ROOT)},                                \
        {"sqrt(2/pi) multiplies x but not 0.044715 x^3", all(x, n, CUBE_INSIDE)},      \
        {"the factor 0.5 is left out", all(x, n, NO_HALF)},                            \
        {"erf(x) is used instead of erf(x / sqrt 2)", all(x, n, NO_SQRT_2)}, {         \
        "SiLU is computed", all(x, n, SILU)                                            \
    }

enum { N = 41 };

/* -4, -3.8 ... 4: where all the variations differ. */
static float *grid(void) {
    float *x = checked_alloc(N, sizeof *x);
    for (size_t i = 0; i < N; i++) x[i] = 0.2f * (float)i - 4.0f;
    return x;
}

Test(gelu, tanh_constants, .timeout = 10) {
    const size_t n = N;
    float *x = grid(), *out = nan_floats(n);
    gelu_tanh_forward(out, x, n);
    know_pass(x, NULL, n);
    know_argument(out, x, n, true);
    CHECK_CLOSE("gelu_tanh", out, all(x, n, TANH), n, 1e-6,
                {"the exact GELU (erf) is computed: GPT-2 uses the tanh approximation",
                 all(x, n, ERF)},
                FORWARD_MISTAKES);
}

Test(gelu, erf_constants, .timeout = 10) {
    const size_t n = N;
    float *x = grid(), *out = nan_floats(n);
    gelu_erf_forward(out, x, n);
    know_pass(x, NULL, n);
    know_argument(out, x, n, false);
    CHECK_CLOSE("gelu_erf", out, all(x, n, ERF), n, 1e-6,
                {"the tanh approximation is computed instead of erf", all(x, n, TANH)},
                FORWARD_MISTAKES);
}

/* The elements of a golden case whose |x| lies in [low, high]. */
typedef struct {
    size_t n;
    float *x, *dy;
    double *y, *dx;
} Golden;

static Golden golden_range(const char *name, double low, double high) {
    size_t n;
    const double *x = golden("activation", name, "x", &n),
                 *y = golden("activation", name, "y", NULL);
    const double *dy = golden("activation", name, "dy", NULL),
                 *dx = golden("activation", name, "dx", NULL);
    Golden g = {.x = checked_alloc(n, sizeof(float)),
                .dy = checked_alloc(n, sizeof(float)),
                .y = checked_alloc(n, sizeof(double)),
                .dx = checked_alloc(n, sizeof(double))};
    for (size_t i = 0; i < n; i++) {
        if (fabs(x[i]) < low || fabs(x[i]) > high) continue;
        g.x[g.n] = (float)x[i];
        g.dy[g.n] = (float)dy[i];
        g.y[g.n] = y[i];
        g.dx[g.n] = dx[i];
        g.n++;
    }
    CHECK(g.n > 0, "the golden case %s has no x from %g to %g", name, low, high);
    return g;
}

typedef void Forward(float *out, const float *x, size_t n);
typedef void Backward(float *dx, const float *dout, const float *x, size_t n);

static void check_forward(const char *name, Forward *forward, double low, double high) {
    Golden g = golden_range(name, low, high);
    float *out = nan_floats(g.n);
    forward(out, g.x, g.n);
    know_pass(g.x, NULL, g.n);
    CHECK_CLOSE(name, out, g.y, g.n, 2e-6);
}

static void check_backward(const char *name, Backward *backward, double low,
                           double high) {
    Golden g = golden_range(name, low, high);
    float *dx = ones_and_a_half(g.n);
    backward(dx, g.dy, g.x, g.n);
    know_pass(g.x, g.dy, g.n);
    CHECK_ADDED(name, dx, g.dx, g.n, 1e-5);
}

Test(gelu, tanh_equals_pytorch, .timeout = 10) {
    check_forward("gelu_tanh_rand", gelu_tanh_forward, 0, 10);
    check_forward("gelu_tanh_grid", gelu_tanh_forward, 0, 10);
}

Test(gelu, erf_equals_pytorch, .timeout = 10) {
    check_forward("gelu_erf_rand", gelu_erf_forward, 0, 10);
    check_forward("gelu_erf_grid", gelu_erf_forward, 0, 10);
}

Test(gelu, tanh_backward_equals_pytorch, .timeout = 10) {
    check_backward("gelu_tanh_rand", gelu_tanh_backward, 0, 10);
    check_backward("gelu_tanh_grid", gelu_tanh_backward, 0, 10);
}

Test(gelu, erf_backward_equals_pytorch, .timeout = 10) {
    check_backward("gelu_erf_rand", gelu_erf_backward, 0, 10);
    check_backward("gelu_erf_grid", gelu_erf_backward, 0, 10);
}

/* +-20 to +-10000: x or 0, slope 1 or 0, and no infinity times zero on the way. */
Test(gelu, large_inputs, .timeout = 10) {
    check_forward("gelu_tanh_grid", gelu_tanh_forward, 20, 1e5);
    check_forward("gelu_erf_grid", gelu_erf_forward, 20, 1e5);
    check_backward("gelu_tanh_grid", gelu_tanh_backward, 20, 1e5);
    check_backward("gelu_erf_grid", gelu_erf_backward, 20, 1e5);
}

/* The slopes in double, with terms left out. */
typedef enum {
    WHOLE,
    NO_INNER,
    INNER_1,
    NO_SQUARE,
    FIRST_ONLY,
    NO_X,
    NOT_HALVED,
    NO_NORM,
    OF_X,      /* the slope of tanh at x, not at u */
    U_NO_CUBE, /* tanh of sqrt(2/pi) x */
    ERF_SLOPE
} SlopeVariation;

static double slope_tanh(double x, SlopeVariation v) {
    double root = sqrt(2 / PI), cube = v == U_NO_CUBE ? 0 : 0.044715 * x * x * x,
           th = tanh(root * (x + cube));
    double inner =
        v == NO_INNER ? 1 : root * (1 + (v == INNER_1 ? 1 : 3) * 0.044715 * x * x);
    double at = v == OF_X ? tanh(x) : th;
    double second =
        0.5 * (v == NO_X ? 1 : x) * (v == NO_SQUARE ? 1 - th : 1 - at * at) * inner;
    return 0.5 * (1 + th) + (v == FIRST_ONLY ? 0 : second);
}

static double slope_erf(double x, SlopeVariation v) {
    double density =
        exp(v == NOT_HALVED ? -x * x : -x * x / 2) / (v == NO_NORM ? 1 : sqrt(2 * PI));
    if (v == ERF_SLOPE) density = exp(-x * x) / sqrt(PI);
    return 0.5 * (1 + erf(x / sqrt(2))) +
           (v == FIRST_ONLY ? 0 : (v == NO_X ? 1 : x) * density);
}

static const double *slopes(double (*slope)(double, SlopeVariation), const float *x,
                            const float *dout, SlopeVariation v) {
    double *dx = checked_alloc(N, sizeof *dx);
    for (size_t i = 0; i < N; i++) dx[i] = (double)dout[i] * slope((double)x[i], v);
    return dx;
}

Test(gelu, tanh_backward_terms, .timeout = 10) {
    float *x = grid(), *dout = normal_floats(N, 1, 1), *dx = ones_and_a_half(N);
    gelu_tanh_backward(dx, dout, x, N);
    know_pass(x, dout, N);
    know_inner_slope(dx, x, dout, N);
#define PLAIN(v) slopes(slope_tanh, x, dout, v)
    CHECK_ADDED("dx", dx, PLAIN(WHOLE), N, 1e-5,
                {"the inner derivative u' is left out (chain rule)", PLAIN(NO_INNER)},
                {"the 3 of the derivative of x^3 is left out", PLAIN(INNER_1)},
                {"the slope of tanh is taken as 1 - tanh instead of 1 - tanh^2",
                 PLAIN(NO_SQUARE)},
                {"the term with the slope of tanh is left out (product rule)",
                 PLAIN(FIRST_ONLY)},
                {"the factor x of the second term is left out", PLAIN(NO_X)},
                {"the slope of tanh is taken at x: it belongs to u", PLAIN(OF_X)},
                {"the term 0.044715 x^3 is left out of u", PLAIN(U_NO_CUBE)});
#undef PLAIN
}

Test(gelu, erf_backward_terms, .timeout = 10) {
    float *x = grid(), *dout = normal_floats(N, 1, 2), *dx = ones_and_a_half(N);
    gelu_erf_backward(dx, dout, x, N);
    know_pass(x, dout, N);
    know_exponent(dx, x, dout, N);
#define PLAIN(v) slopes(slope_erf, x, dout, v)
    CHECK_ADDED(
        "dx", dx, PLAIN(WHOLE), N, 1e-5,
        {"the density is exp(-x^2) instead of exp(-x^2 / 2)", PLAIN(NOT_HALVED)},
        {"the density is not divided by sqrt(2 pi)", PLAIN(NO_NORM)},
        {"the density is exp(-x^2) / sqrt(pi), half the slope of erf",
         PLAIN(ERF_SLOPE)},
        {"the term x * phi(x) is left out (product rule)", PLAIN(FIRST_ONLY)},
        {"the factor x of the density is left out", PLAIN(NO_X)});
#undef PLAIN
}

/* Enough elements for several threads: every element is what it is alone. */
Test(gelu, many_elements, .timeout = 10) {
    enum { MANY = 20001 };
    float *x = normal_floats(MANY, 2, 3), *out = nan_floats(MANY),
          *dx = ones_and_a_half(MANY);
    gelu_tanh_forward(out, x, MANY);
    gelu_tanh_backward(dx, x, x, MANY);
    for (size_t i = 0; i < MANY; i++) {
        float one = NAN, done = 1.5f;
        gelu_tanh_forward(&one, x + i, 1);
        gelu_tanh_backward(&done, x + i, x + i, 1);
        CHECK(out[i] == one && dx[i] == done,
              "element %zu of %d: got %.9g and %.9g, alone it gives %.9g and %.9g", i,
              (int)MANY, (double)out[i], (double)dx[i], (double)one, (double)done);
    }
}
