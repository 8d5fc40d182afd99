/* Tests of exercise 05/rezero: one number that scales the branch, and its three
 * gradients. */
#include "05-residual-blocks/rezero.h"
#include "05-residual-blocks/rezero_layer.h"

#include <math.h>

#include "check/check.h"
#include "base/memory.h"

enum { N = 12 };

typedef enum { RIGHT, ON_X, ON_BOTH, NO_ALPHA, MIXED } Variation;

static const double *plain(const float *x, const float *branch, double alpha,
                           Variation v) {
    double *out = checked_alloc(N, sizeof *out);
    for (size_t i = 0; i < N; i++) {
        double a = (double)x[i], b = (double)branch[i];
        switch (v) {
        case RIGHT:
            out[i] = a + alpha * b;
            break;
        case ON_X:
            out[i] = alpha * a + b;
            break;
        case ON_BOTH:
            out[i] = alpha * (a + b);
            break;
        case NO_ALPHA:
            out[i] = a + b;
            break;
        case MIXED:
            out[i] = (1 - alpha) * a + alpha * b;
            break;
        }
    }
    return out;
}

/* See known.h. x and dout may be NULL. */
static void know_pass(const float *x, const float *branch, const float *dout, size_t n,
                      double alpha) {
    double *scaled_branch = as_double(branch, n),
           *scaled_dout = dout ? as_double(dout, n) : NULL;
    for (size_t i = 0; i < n; i++) scaled_branch[i] *= alpha;
    for (size_t i = 0; dout && i < n; i++) scaled_dout[i] *= alpha;
    AXES({"element", "n", n}, {"number", "numbers", 1});
    KNOW(x, "element");
    KNOW(branch, "element");
    KNOW(dout, "element");
    KNOW_AS("alpha * branch", scaled_branch, "element");
    KNOW_AS("alpha * dout", scaled_dout, "element");
    know_shape("dalpha", "number");
    know_number("alpha", alpha);
}

static void others_are_null(void) {
    crash_means("dx, dbranch or dalpha is written to though it is NULL");
}

Test(rezero, forward, .timeout = 10) {
    float *x = normal_floats(N, 1, 1), *branch = normal_floats(N, 1, 2),
          *out = nan_floats(N);
    rezero_forward(out, x, branch, 0.3f, N);
    know_pass(x, branch, NULL, N, 0.3);
#define PLAIN(v) plain(x, branch, 0.3, v)
    CHECK_CLOSE(
        "out", out, PLAIN(RIGHT), N, 1e-6,
        {"alpha multiplies x instead of the branch", PLAIN(ON_X)},
        {"alpha multiplies the sum instead of the branch alone", PLAIN(ON_BOTH)},
        {"alpha is left out", PLAIN(NO_ALPHA)},
        {"x is multiplied by 1 - alpha", PLAIN(MIXED)});
#undef PLAIN
}

/* alpha = 0: the block passes x on, to the last bit. */
Test(rezero, forward_starts_as_identity, .timeout = 10) {
    float *x = normal_floats(N, 1, 3), *branch = normal_floats(N, 100, 4),
          *out = nan_floats(N);
    rezero_forward(out, x, branch, 0.0f, N);
    for (size_t i = 0; i < N; i++) {
        CHECK(out[i] == x[i],
              "with alpha = 0, out[%zu] is %.9g and x[%zu] is %.9g: they must be equal",
              i, (double)out[i], i, (double)x[i]);
    }
}

static const double *scaled(const float *x, double factor) {
    double *out = as_double(x, N);
    for (size_t i = 0; i < N; i++) out[i] *= factor;
    return out;
}

static double dot(const float *a, const float *b) {
    double sum = 0;
    for (size_t i = 0; i < N; i++) sum += (double)a[i] * (double)b[i];
    return sum;
}

Test(rezero, backward, .timeout = 10) {
    float *branch = normal_floats(N, 1, 5), *dout = normal_floats(N, 1, 6);
    float *dx = ones_and_a_half(N), *dbranch = ones_and_a_half(N),
          *dalpha = ones_and_a_half(1);
    const double alpha = 0.25;
    rezero_backward(dx, dbranch, dalpha, dout, branch, (float)alpha, N);
    double right = dot(dout, branch), mean = right / N, with_alpha = alpha * right;
    know_pass(NULL, branch, dout, N, alpha);
    CHECK_ADDED(
        "dx", dx, scaled(dout, 1), N, 1e-6,
        {"alpha multiplies dx: the way of x has no factor", scaled(dout, alpha)},
        {"dx takes the share of 1 - alpha", scaled(dout, 1 - alpha)});
    CHECK_ADDED("dbranch", dbranch, scaled(dout, alpha), N, 1e-6,
                {"alpha is left out of dbranch", scaled(dout, 1)});
    CHECK_ADDED("dalpha", dalpha, &right, 1, 1e-5,
                {"dalpha is the mean instead of the sum", &mean},
                {"dalpha is multiplied by alpha", &with_alpha});
}

/* In the first step only alpha learns: the branch sees dout times 0. */
Test(rezero, backward_at_zero, .timeout = 10) {
    float *branch = normal_floats(N, 1, 7), *dout = normal_floats(N, 1, 8);
    float *dbranch = ones_and_a_half(N), *dalpha = ones_and_a_half(1);
    others_are_null();
    rezero_backward(NULL, dbranch, dalpha, dout, branch, 0.0f, N);
    for (size_t i = 0; i < N; i++) {
        CHECK(dbranch[i] == 1.5f,
              "with alpha = 0, dbranch[%zu] must get nothing, got %.7g", i,
              (double)dbranch[i] - 1.5);
    }
    double right = dot(dout, branch);
    CHECK_ADDED("dalpha", dalpha, &right, 1, 1e-5);
}

Test(rezero, backward_of_one_alone, .timeout = 10) {
    float *branch = normal_floats(N, 1, 9), *dout = normal_floats(N, 1, 10);
    float *dx = ones_and_a_half(N), *dbranch = ones_and_a_half(N),
          *dalpha = ones_and_a_half(1);
    others_are_null();
    rezero_backward(dx, NULL, NULL, dout, branch, 0.3f, N);
    rezero_backward(NULL, dbranch, NULL, dout, branch, 0.3f, N);
    rezero_backward(NULL, NULL, dalpha, dout, branch, 0.3f, N);
    know_pass(NULL, branch, dout, N, 0.3);
    double right = dot(dout, branch);
    CHECK_ADDED("dx (the others are NULL)", dx, scaled(dout, 1), N, 1e-6);
    CHECK_ADDED("dbranch (the others are NULL)", dbranch, scaled(dout, 0.3), N, 1e-6);
    CHECK_ADDED("dalpha (the others are NULL)", dalpha, &right, 1, 1e-5,
                {"dalpha is multiplied by alpha", &(double){0.3 * right}});
}

/* Large terms that cancel: in float the small ones are lost among them. */
Test(rezero, dalpha_is_summed_in_double, .timeout = 10) {
    enum { MANY = 3 * 1000 };
    float *branch = checked_alloc(MANY, sizeof *branch),
          *dout = checked_alloc(MANY, sizeof *dout);
    for (size_t i = 0; i < MANY; i++) {
        dout[i] = 1.0f;
        branch[i] = i < 1000 ? 1e6f : i < 2000 ? 0.001f : -1e6f;
    }
    float dalpha = 0;
    others_are_null();
    rezero_backward(NULL, NULL, &dalpha, dout, branch, 1.0f, MANY);
    double right = 1.0, lost = 0.0;
    CHECK_CLOSE("dalpha", &dalpha, &right, 1, 1e-4,
                {"the sum is taken in float, where the small terms are lost; or dalpha "
                 "gets nothing where dx and "
                 "dbranch are NULL",
                 &lost});
}

/* So many that two threads that write the same sum are noticed. */
Test(rezero, thousands, .timeout = 10) {
    enum { MANY = 1000003 };
    float *x = normal_floats(MANY, 1, 11), *branch = normal_floats(MANY, 1, 12),
          *out = nan_floats(MANY);
    float *dx = ones_and_a_half(MANY), *dbranch = ones_and_a_half(MANY),
          *dalpha = ones_and_a_half(1);
    double *sums = as_double(x, MANY), *share = as_double(x, MANY), product = 0;
    for (size_t i = 0; i < MANY; i++) {
        sums[i] += 0.3 * (double)branch[i];
        share[i] *= 0.3;
        product += (double)x[i] * (double)branch[i];
    }
    rezero_forward(out, x, branch, 0.3f, MANY);
    rezero_backward(dx, dbranch, dalpha, x, branch, 0.3f, MANY);
    AXES({"element", "n", MANY});
    CHECK_CLOSE("out", out, sums, MANY, 1e-6);
    CHECK_ADDED("dx", dx, as_double(x, MANY), MANY, 1e-6);
    CHECK_ADDED("dbranch", dbranch, share, MANY, 1e-6);
    CHECK_ADDED("dalpha", dalpha, &product, 1, 1e-5);
}
