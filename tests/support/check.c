/* How a test compares numbers: see check.h. */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"
#include "random.h"

enum { MESSAGE_BYTES = 2048 };

static bool is_close(double got, double expected, double allowed) {
    if (isnan(expected)) return isnan(got);
    if (isinf(expected)) return got == expected;
    return fabs(got - expected) <= allowed;
}

static double largest(const double *x, size_t n) {
    double scale = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i])) scale = fmax(scale, fabs(x[i]));
    }
    return scale > 0 ? scale : 1;
}

static bool all_close(const double *got, const double *expected, size_t n, double tolerance) {
    double allowed = tolerance * largest(expected, n);
    for (size_t i = 0; i < n; i++) {
        if (!is_close(got[i], expected[i], allowed)) return false;
    }
    return true;
}

static const char *compare_doubles(const char *what, const double *got, const double *expected, size_t n,
                                   double tolerance, const Mistake *mistakes, size_t n_mistakes) {
    if (all_close(got, expected, n, tolerance)) return NULL;
    double allowed = tolerance * largest(expected, n);
    size_t worst = 0, wrong = 0;
    double worst_by = -1;
    for (size_t i = 0; i < n; i++) {
        if (is_close(got[i], expected[i], allowed)) continue;
        wrong++;
        double by = isfinite(got[i]) ? fabs(got[i] - expected[i]) : INFINITY;
        if (by > worst_by) worst_by = by, worst = i;
    }
    static char message[MESSAGE_BYTES];
    int used = snprintf(
        message, sizeof message,
        "%s is wrong in %zu of %zu places; worst at [%zu]: got %.7g, expected %.7g, allowed +-%.2g", what,
        wrong, n, worst, isnan(got[worst]) ? (double)NAN : got[worst], expected[worst], allowed);
    for (size_t m = 0; m < n_mistakes; m++) {
        /* A mistake that this input cannot tell from the right answer says nothing. */
        if (!all_close(got, mistakes[m].values, n, tolerance) ||
            all_close(mistakes[m].values, expected, n, tolerance)) {
            continue;
        }
        snprintf(message + used, sizeof message - (size_t)used, "; this is what you get when %s",
                 mistakes[m].when);
        return message;
    }
    if (isnan(got[worst]) && !isnan(expected[worst])) {
        snprintf(message + used, sizeof message - (size_t)used,
                 "; NaN: never written, or made from 0/0 or inf - inf");
    }
    return message;
}

const char *compare(const char *what, const float *got, const double *expected, size_t n, double tolerance,
                    const Mistake *mistakes, size_t n_mistakes) {
    double *copy = as_double(got, n);
    const char *message = compare_doubles(what, copy, expected, n, tolerance, mistakes, n_mistakes);
    free(copy);
    return message;
}

static const float START = 1.5f;

/* What a gradient that had started at START would be, less START, had it been overwritten. */
static double *overwritten(const double *values, size_t n) {
    double *less = checked_alloc(n, sizeof *less);
    for (size_t i = 0; i < n; i++) less[i] = values[i] - (double)START;
    return less;
}

/* Beside the test's own mistakes: overwritten, nothing done, and each mistake together with overwritten. */
const char *compare_added(const char *what, const float *got, const double *expected, size_t n,
                          double tolerance, const Mistake *mistakes, size_t n_mistakes) {
    double *added = as_double(got, n);
    for (size_t i = 0; i < n; i++) added[i] -= (double)START;
    /* Rounding of 1.5 + gradient: the tolerance is relative to the larger of the two. */
    double allowed = tolerance * fmax(1.0, (double)START / largest(expected, n));
    if (all_close(added, expected, n, allowed)) {
        free(added);
        return NULL;
    }
    size_t n_all = 0;
    Mistake *all = checked_alloc(2 * n_mistakes + 2, sizeof *all);
    all[n_all++] =
        (Mistake){"the gradient is overwritten (=) instead of added to (+=)", overwritten(expected, n)};
    all[n_all++] = (Mistake){"nothing is added to the gradient", checked_alloc(n, sizeof(double))};
    for (size_t m = 0; m < n_mistakes; m++) all[n_all++] = mistakes[m];
    for (size_t m = 0; m < n_mistakes; m++) {
        enum { BYTES = 300 };
        char *both = checked_alloc(BYTES, 1);
        snprintf(both, BYTES, "%s, and the gradient is overwritten (=) instead of added to (+=)",
                 mistakes[m].when);
        all[n_all++] = (Mistake){both, overwritten(mistakes[m].values, n)};
    }
    return compare_doubles(what, added, expected, n, allowed, all, n_all);
}

float *equal_floats(size_t n, float value) {
    float *x = checked_alloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = value;
    return x;
}

float *nan_floats(size_t n) {
    return equal_floats(n, NAN);
}

float *ones_and_a_half(size_t n) {
    return equal_floats(n, START);
}

float *normal_floats(size_t n, double std, unsigned seed) {
    float *x = checked_alloc(n, sizeof *x);
    Random r = random_create(seed);
    random_fill_normal(&r, x, n, (float)std);
    return x;
}

double *as_double(const float *x, size_t n) {
    double *copy = checked_alloc(n, sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = (double)x[i];
    return copy;
}

const char *with_size(const char *what, size_t rows, size_t dim) {
    static char text[100];
    snprintf(text, sizeof text, "%s of %zu rows of %zu", what, rows, dim);
    return text;
}
