/* Tests of exercise 14/rbe_fit. */
#include "14-compression/rbe_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"

/* The tests run on tiles of 32 x 32; the last one repeats them at 16 x 16. */
static size_t side = 32, n = 1024;
static double *phi; /* ends at a forbidden page */

static void fill_phi(void) {
    phi = guarded_alloc(RBE_FUNCTIONS * n, sizeof *phi);
    rbe_basis(phi, side);
}

/* sum_k alpha_k phi_k. */
static float *mixture(const float *alpha) {
    float *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t k = 0; k < RBE_FUNCTIONS; k++)
            sum += (double)alpha[k] * phi[k * n + i];
        x[i] = (float)sum;
    }
    return x;
}

/* alpha_k phi_k, for KNOW. */
static const char *const terms[RBE_FUNCTIONS] = {
    "alpha_0 phi_0", "alpha_1 phi_1", "alpha_2 phi_2", "alpha_3 phi_3",
    "alpha_4 phi_4", "alpha_5 phi_5", "alpha_6 phi_6", "alpha_7 phi_7"};

static double *term(const float *alpha, size_t k) {
    double *values = malloc(n * sizeof *values);
    for (size_t i = 0; i < n; i++) values[i] = (double)alpha[k] * phi[k * n + i];
    return values;
}

/* The functions are so alike that rounding moves alpha by far more than what they make
 * up. */
static const char *digits_in_words(const float *alpha, const float *x) {
    float *made = mixture(alpha);
    double off = 0, largest = 0;
    for (size_t i = 0; i < n; i++) {
        off = fmax(off, fabs((double)made[i] - (double)x[i]));
        largest = fmax(largest, fabs((double)x[i]));
        if (isnan(made[i])) off = INFINITY;
    }
    free(made);
    return off < 3e-3 * largest ? "; perhaps digits are lost (sums in float?), or an "
                                  "iteration stops too soon: the "
                                  "functions with this alpha make up x all but exactly"
                                : "";
}

/* A mixture of the functions is found again. A projection on each alone would fail:
 * they overlap. */
static void check_mixture(void) {
    fill_phi();
    const float alpha[RBE_FUNCTIONS] = {0.5f, -1, 2, 0.25f, 3, -0.75f, 1, -2};
    float *x = mixture(alpha), *got = nan_floats(RBE_FUNCTIONS);
    double projected[RBE_FUNCTIONS], products[RBE_FUNCTIONS];
    for (size_t k = 0; k < RBE_FUNCTIONS; k++) {
        double xp = 0, pp = 0;
        for (size_t i = 0; i < n; i++) {
            xp += (double)x[i] * phi[k * n + i];
            pp += phi[k * n + i] * phi[k * n + i];
        }
        projected[k] = xp / pp;
        products[k] = xp;
    }
    rbe_fit(got, x, phi, n);
    AXES({"function", "RBE_FUNCTIONS", RBE_FUNCTIONS}, {"element", "n", n});
    KNOW_AS("Phi x", products, "function");
    KNOW_AS("Phi x / phi^2", projected, "function");
    const Mistake mistakes[] = {{"each function is fitted as if it were alone: the "
                                 "products of two are left out, or not eliminated",
                                 projected},
                                {"the normal equations are not solved", products}};
    const char *message = compare("alpha", got, as_double(alpha, RBE_FUNCTIONS),
                                  RBE_FUNCTIONS, 1e-5, mistakes, 2);
    CHECK(!message, "%s%s", message, digits_in_words(got, x));
    free(x);
    free(got);
    free(phi);
}

Test(rbe_fit, a_mixture_is_found_again, .timeout = 10) {
    check_mixture();
}

/* Functions that share no place: Phi Phi^T has its diagonal alone, and there is nothing
 * to eliminate. */
static const char *elimination_in_words(const float *x) {
    double *apart = checked_alloc(RBE_FUNCTIONS * n, sizeof *apart);
    double mean[RBE_FUNCTIONS] = {0};
    float alpha[RBE_FUNCTIONS];
    for (size_t i = 0; i < n; i++) {
        apart[i % RBE_FUNCTIONS * n + i] = 1;
        mean[i % RBE_FUNCTIONS] += (double)x[i] * RBE_FUNCTIONS / (double)n;
    }
    rbe_fit(alpha, x, apart, n);
    free(apart);
    for (size_t k = 0; k < RBE_FUNCTIONS; k++) {
        if (!(fabs((double)alpha[k] - mean[k]) < 1e-5)) return "";
    }
    return ": of functions that share no place it is right; look at the products of "
           "two functions, and the "
           "elimination";
}

/* The rest is orthogonal to all functions: no alpha would leave less. */
static void check_rest(void) {
    fill_phi();
    float *x = normal_floats(n, 1, 1), alpha[RBE_FUNCTIONS];
    /* a mean that must not disturb the others */
    for (size_t i = 0; i < n; i++) x[i] += 5;
    rbe_fit(alpha, x, phi, n);
    for (size_t k = 0; k < RBE_FUNCTIONS; k++) {
        double left = 0, norm = 0;
        for (size_t i = 0; i < n; i++) {
            double rest = (double)x[i];
            for (size_t l = 0; l < RBE_FUNCTIONS; l++)
                rest -= (double)alpha[l] * phi[l * n + i];
            left += rest * phi[k * n + i];
            norm += phi[k * n + i] * phi[k * n + i];
        }
        CHECK(fabs(left) < 1e-4 * norm, "what is left still has %.4f of function %zu%s",
              left / norm, k, elimination_in_words(x));
    }
    free(x);
    free(phi);
}

Test(rbe_fit, what_is_left_is_least, .timeout = 10) {
    check_rest();
}

static void check_sum(void) {
    fill_phi();
    const float values[RBE_FUNCTIONS] = {1, 0.5f, -1, 2, 0, 1, -0.25f, 3},
                none[RBE_FUNCTIONS] = {0};
    float *alpha = guarded_alloc(RBE_FUNCTIONS, sizeof *alpha);
    memcpy(alpha, values, sizeof values);
    if (side == 32) crash_means("alpha is read behind its 8 numbers");
    float *rest = normal_floats(n, 1, 2), *smooth = mixture(alpha),
          *out = nan_floats(n);
    double *expected = as_double(smooth, n), *dropped = as_double(smooth, n),
           *minus = as_double(rest, n), *transposed = as_double(rest, n);
    for (size_t i = 0; i < n * RBE_FUNCTIONS; i++)
        transposed[i / RBE_FUNCTIONS] += (double)alpha[i % RBE_FUNCTIONS] * phi[i];
    for (size_t i = 0; i < n; i++) {
        expected[i] += (double)rest[i];
        minus[i] -= (double)smooth[i];
    }
    rbe_add(out, rest, alpha, phi, n);
    AXES({"element", "n", n}, {"function", "RBE_FUNCTIONS", RBE_FUNCTIONS});
    KNOW(rest, "element");
    KNOW_AS("phi", phi, "function element");
    KNOW(alpha, "function");
    for (size_t k = 0; k < RBE_FUNCTIONS; k++)
        KNOW_AS(terms[k], term(alpha, k), "element");
    CHECK_CLOSE("rest and functions", out, expected, n, 1e-6,
                {"the rest is dropped", dropped},
                {"the functions are subtracted", minus},
                {"phi is read as if it were stored element by element: it is "
                 "[function][element]",
                 transposed});
    rbe_add(rest, rest, none, phi, n);
    free(expected);
    expected = as_double(out, n);
    rbe_add(rest, rest, alpha, phi, n); /* in place */
    CHECK_CLOSE("in place", rest, expected, n, 1e-6);
    free(alpha);
    free(rest);
    free(smooth);
    free(out);
    free(expected);
    free(dropped);
    free(minus);
    free(transposed);
    free(phi);
}

Test(rbe_fit, rest_and_functions_are_added, .timeout = 10) {
    check_sum();
}

Test(rbe_fit, side_16, .timeout = 10) {
    side = 16;
    n = 256;
    crash_means("a 1024 stands where n should");
    check_mixture();
    check_rest();
    check_sum();
}
