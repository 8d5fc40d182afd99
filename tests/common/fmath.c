/* Tests of common/fmath: the errors that fmath.h states, special values, and the same
 * bits on every machine.
 *
 * The float functions are compared with libm's double ones on a dense sample of all
 * floats: every 4099th. */
#include "math/fmath.h"

#include <stdbool.h>
#include <stdlib.h>

#include "check/check.h"

enum { STRIDE = 4099, CHUNK = 4096 };

typedef struct {
    const char *name;
    /* a loop that the compiler makes vector code of */
    void (*apply)(float *y, const float *x, size_t n);
    double (*exact)(double);
    double ulps;     /* the error that fmath.h states */
    double low, top; /* no result lies outside */
    bool odd;
    uint64_t hash; /* of all results on the sample: of their bits, so that another
                      machine has to agree */
} Function;

#define APPLY(function)                                                                \
    static void apply_##function(float *y, const float *x, size_t n) {                 \
        for (size_t i = 0; i < n; i++) y[i] = function(x[i]);                          \
    }
APPLY(exp_float)
APPLY(tanh_float)
APPLY(sigmoid_float)
APPLY(erf_float)
APPLY(log_float)

static double sigmoid(double x) {
    return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
}

/* exp gives 0 where it is smaller than a normal float, and so does the sigmoid, which
 * is made of it. */
static double or_zero(double x) {
    return x < 0x1p-126 ? 0 : x;
}
static double exp_or_zero(double x) {
    return or_zero(exp(x));
}
static double sigmoid_or_zero(double x) {
    return or_zero(sigmoid(x));
}

static const Function functions[] = {
    {"exp_float", apply_exp_float, exp_or_zero, 0.98, 0, INFINITY, false,
     0x8a7e840b9eaf7fce},
    {"tanh_float", apply_tanh_float, tanh, 2.5, -1, 1, true, 0xdb4233de68192067},
    {"sigmoid_float", apply_sigmoid_float, sigmoid_or_zero, 2.41, 0, 1, false,
     0xd80dbc831b9a914d},
    {"erf_float", apply_erf_float, erf, 1.62, -1, 1, true, 0xd12d254fd4cd7158},
    {"log_float", apply_log_float, log, 0.85, -INFINITY, INFINITY, false,
     0x59ba4303830dd0b9},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* The distance between floats at x. */
static double ulp_at(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent < -125 ? -149 : exponent - 24);
}

/* The error of y = f(x) in ulps: infinite if it is another kind of number. */
static double error_in_ulps(double exact, float y) {
    if (isnan(exact) || isnan(y)) return isnan(exact) && isnan(y) ? 0 : INFINITY;
    if (fabs(exact) > 0x1.ffffffp127 || isinf(y))
        return (double)y == (double)(float)exact ? 0 : INFINITY;
    if (!signbit(exact) != !signbit(y)) return INFINITY;
    return fabs((double)y - exact) / ulp_at(exact);
}

/* The next CHUNK floats of the sample, from the bit pattern `*at` on; how many there
 * are. */
static size_t sample(float x[CHUNK], uint64_t *at) {
    size_t n = 0;
    for (; n < CHUNK && *at <= UINT32_MAX; n++, *at += STRIDE)
        x[n] = bits_float((uint32_t)*at);
    return n;
}

Test(fmath, errors_are_within_the_stated_ulps, .timeout = 60) {
    static float x[CHUNK], y[CHUNK];
    for (size_t f = 0; f < FUNCTIONS; f++) {
        double worst = 0;
        float worst_x = 0, worst_y = 0;
        uint64_t at = 0;
        for (size_t n; (n = sample(x, &at)) > 0;) {
            functions[f].apply(y, x, n);
            for (size_t i = 0; i < n; i++) {
                double error = error_in_ulps(functions[f].exact((double)x[i]), y[i]);
                if (error > worst) {
                    worst = error;
                    worst_x = x[i];
                    worst_y = y[i];
                }
                CHECK(isnan(y[i]) ||
                          (y[i] >= functions[f].low && y[i] <= functions[f].top),
                      "%s(%a) is %g, outside %g ... %g", functions[f].name,
                      (double)x[i], (double)y[i], functions[f].low, functions[f].top);
            }
        }
        CHECK(worst <= functions[f].ulps,
              "%s(%a) is %a, off by %.3f ulp; %.2f is stated", functions[f].name,
              (double)worst_x, (double)worst_y, worst, functions[f].ulps);
        CHECK(worst > 0.5,
              "%s is off by %.3f ulp at most: the sample cannot have been compared",
              functions[f].name, worst);
    }
}

Test(fmath, the_same_bits_everywhere, .timeout = 60) {
    static float x[CHUNK], y[CHUNK];
    for (size_t f = 0; f < FUNCTIONS; f++) {
        uint64_t hash = 0xcbf29ce484222325u, at = 0;
        for (size_t n; (n = sample(x, &at)) > 0;) {
            functions[f].apply(y, x, n);
            for (size_t i = 0; i < n; i++) {
                uint32_t bits = isnan(y[i]) ? 0x7fc00000 : float_bits(y[i]);
                hash = (hash ^ bits) * 0x100000001b3u;
            }
        }
        CHECK(hash == functions[f].hash,
              "%s: hash %#llx, expected %#llx: its bits differ on this machine",
              functions[f].name, (unsigned long long)hash,
              (unsigned long long)functions[f].hash);
    }
}

/* A loop of 1 is scalar code, one of CHUNK mostly vector code. */
Test(fmath, vector_code_gives_the_bits_of_scalar_code, .timeout = 60) {
    static float x[CHUNK], y[CHUNK];
    for (size_t f = 0; f < FUNCTIONS; f++) {
        uint64_t at = 0;
        for (size_t n; (n = sample(x, &at)) > 0; at += 100 * STRIDE * CHUNK) {
            functions[f].apply(y, x, n);
            for (size_t i = 0; i < n; i++) {
                float one;
                functions[f].apply(&one, x + i, 1);
                CHECK(float_bits(one) == float_bits(y[i]) ||
                          (isnan(one) && isnan(y[i])),
                      "%s(%a) is %a in a long loop and %a alone", functions[f].name,
                      (double)x[i], (double)y[i], (double)one);
            }
        }
    }
}

Test(fmath, odd_functions_are_odd_to_the_bit, .timeout = 60) {
    static float x[CHUNK], y[CHUNK], minus_x[CHUNK], minus_y[CHUNK];
    for (size_t f = 0; f < FUNCTIONS; f++) {
        if (!functions[f].odd) continue;
        uint64_t at = 0;
        for (size_t n; (n = sample(x, &at)) > 0;) {
            for (size_t i = 0; i < n; i++) minus_x[i] = -x[i];
            functions[f].apply(y, x, n);
            functions[f].apply(minus_y, minus_x, n);
            for (size_t i = 0; i < n; i++) {
                CHECK(isnan(y[i]) || float_bits(-y[i]) == float_bits(minus_y[i]),
                      "%s(%a) is %a but %s(%a) is %a", functions[f].name, (double)x[i],
                      (double)y[i], functions[f].name, (double)minus_x[i],
                      (double)minus_y[i]);
            }
        }
    }
}

#define EXACTLY(expression, expected)                                                  \
    CHECK(float_bits(expression) == float_bits(expected), "%s is %g, expected %g",     \
          #expression, (double)(expression), (double)(expected))

Test(fmath, special_values_of_the_float_functions, .timeout = 10) {
    EXACTLY(exp_float(0.0f), 1.0f);
    EXACTLY(exp_float(-0.0f), 1.0f);
    EXACTLY(exp_float(INFINITY), INFINITY);
    EXACTLY(exp_float(89.0f), INFINITY);
    EXACTLY(exp_float(-INFINITY), 0.0f);
    EXACTLY(exp_float(-110.0f), 0.0f);
    EXACTLY(exp_float(0x1.62e42ep+6f), 0x1.ffff08p+127f);
    EXACTLY(exp_float(-0x1.5d589ep+6f), 0x1.00004cp-126f);
    EXACTLY(exp_float(-0x1.5d58a0p+6f), 0.0f);
    EXACTLY(tanh_float(-0.0f), -0.0f);
    EXACTLY(tanh_float(INFINITY), 1.0f);
    EXACTLY(tanh_float(-INFINITY), -1.0f);
    EXACTLY(tanh_float(1e-40f), 1e-40f);
    EXACTLY(erf_float(-0.0f), -0.0f);
    EXACTLY(erf_float(INFINITY), 1.0f);
    EXACTLY(erf_float(-INFINITY), -1.0f);
    EXACTLY(sigmoid_float(0.0f), 0.5f);
    EXACTLY(sigmoid_float(INFINITY), 1.0f);
    EXACTLY(sigmoid_float(-INFINITY), 0.0f);
    EXACTLY(log_float(1.0f), 0.0f);
    EXACTLY(log_float(0.0f), -INFINITY);
    EXACTLY(log_float(-0.0f), -INFINITY);
    EXACTLY(log_float(INFINITY), INFINITY);
    CHECK(isnan(log_float(-1.0f)), "log_float(-1) is no NaN");
    CHECK(isnan(log_float(-INFINITY)), "log_float(-infinity) is no NaN");
}

/* Calls f at n points of [low, top] and returns the largest |f - exact|, relative to
 * `exact` if asked for. */
static double worst_error(double (*f)(double), double (*exact)(double), double low,
                          double top, size_t n, bool relative) {
    double worst = 0;
    for (size_t i = 0; i <= n; i++) {
        double x = low + (top - low) * ((double)i / (double)n), right = exact(x);
        double error = fabs(f(x) - right);
        if (relative && right != 0) error /= fabs(right);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

static double cos_of_turn(double x) {
    return cos(2 * 3.14159265358979323846 * x);
}
static double sin_of_turn(double x) {
    return sin(2 * 3.14159265358979323846 * x);
}

#define WITHIN(tolerance, ...)                                                         \
    do {                                                                               \
        double error_ = worst_error(__VA_ARGS__);                                      \
        CHECK(error_ <= (tolerance), "%s: error %g, at most %g expected",              \
              #__VA_ARGS__, error_, (double)(tolerance));                              \
    } while (0)

Test(fmath, double_functions_against_libm, .timeout = 60) {
    const double eps = 0x1p-52;
    WITHIN(1.5 * eps, log_double, log, 1e-9, 0.9, 200000, true);
    WITHIN(1.5 * eps, log_double, log, 0.9, 1.1, 200001, true);
    WITHIN(1.5 * eps, log_double, log, 1.1, 1e6, 200000, true);
    WITHIN(1.5 * eps, log_double, log, 1e-310, 1e-307, 1000, true);
    WITHIN(1.5 * eps, exp_double, exp, -700, 709, 200000, true);
    WITHIN(1.5 * eps, exp_double, exp, -1, 1, 200000, true);
    WITHIN(0x1p-1074, exp_double, exp, -750, -709, 10000, false);
    WITHIN(1.5 * eps, sin_double, sin, -10, 10, 200000, false);
    WITHIN(1.5 * eps, cos_double, cos, -10, 10, 200000, false);
    WITHIN(1.5 * eps, sin_double, sin, -1e5, 1e5, 200000, false);
    WITHIN(1.5 * eps, cos_double, cos, -1e5, 1e5, 200000, false);
    WITHIN(8 * eps, cos_turn, cos_of_turn, -1, 1, 200000, false);
    WITHIN(8 * eps, sin_turn, sin_of_turn, -1, 1, 200000, false);
}

/* Next to a zero of sine or cosine, what is left
 * after taking off multiples of pi must have all its digits. */
Test(fmath, zeros_of_sine_and_cosine_keep_their_digits, .timeout = 10) {
    const double half_pi = 1.57079632679489661923;
    for (int i = 1; i < 60000; i++) {
        double x = i * half_pi, right = i % 2 ? cos(x) : sin(x),
               got = i % 2 ? cos_double(x) : sin_double(x);
        CHECK(fabs(got - right) <= 4e-16 * fabs(right),
              "%s_double(%.17g) is %.17g, expected %.17g", i % 2 ? "cos" : "sin", x,
              got, right);
    }
}

Test(fmath, special_values_of_the_double_functions, .timeout = 10) {
    cr_assert_eq(log_double(1), 0);
    cr_assert_eq(log_double(0), -INFINITY);
    cr_assert_eq(log_double(INFINITY), INFINITY);
    CHECK(isnan(log_double(-1)) && isnan(log_double(NAN)),
          "log of a negative number or NaN is no NaN");
    cr_assert_eq(exp_double(0), 1);
    cr_assert_eq(exp_double(-INFINITY), 0);
    cr_assert_eq(exp_double(INFINITY), INFINITY);
    CHECK(isnan(exp_double(NAN)), "exp_double(NaN) is no NaN");
    double x[] = {-INFINITY, -800, -746, -745, -708.5, -30, -1e-9, 0, 1, 709.9, 711, 3},
           got[12];
    memcpy(got, x, sizeof x);
    exp_doubles(got, 12, 0.5);
    for (size_t i = 0; i < 12; i++)
        CHECK(got[i] == exp_double(x[i] - 0.5), "exp_doubles: %a, expected %a", got[i],
              exp_double(x[i] - 0.5));
    CHECK(isnan(sin_double(INFINITY)) && isnan(cos_turn(-INFINITY)),
          "sine of infinity is no NaN");
    CHECK(isnan(cos_double(NAN)) && isnan(sin_turn(NAN)), "sine of NaN is no NaN");
    for (double whole = -3; whole < 1e15; whole = whole < 3 ? whole + 1 : whole * 10) {
        cr_assert_eq(sin_turn(whole), 0, "sin_turn(%g) is %g", whole, sin_turn(whole));
        cr_assert_eq(cos_turn(whole), 1, "cos_turn(%g) is %g", whole, cos_turn(whole));
        cr_assert_eq(sin_turn(whole + 0.25), 1, "sin_turn(%g) is %g", whole + 0.25,
                     sin_turn(whole + 0.25));
        cr_assert_eq(cos_turn(whole + 0.25), 0, "cos_turn(%g) is %g", whole + 0.25,
                     cos_turn(whole + 0.25));
        cr_assert_eq(cos_turn(whole + 0.5), -1, "cos_turn(%g) is %g", whole + 0.5,
                     cos_turn(whole + 0.5));
        cr_assert_eq(sin_turn(whole + 0.75), -1, "sin_turn(%g) is %g", whole + 0.75,
                     sin_turn(whole + 0.75));
    }
}
