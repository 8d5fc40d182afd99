/* How a LayerNorm loses digits on rows far from zero: a mean that is summed in float,
 * or a variance that is a difference of two large numbers. Their order of additions is
 * anybody's; those of a plain loop and of the kernels are tried, and where neither
 * gives the numbers, what they look like is no more than suspected. */
#ifndef TESTS_LOST_DIGITS_H
#define TESTS_LOST_DIGITS_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernels/reduce.h"

typedef enum { IN_A_LOOP, IN_LANES, IN_DOUBLE } Sums;
typedef enum { FLOAT_MEAN, ONE_PASS } LostBy;

static const double LOST_EPS = 1e-5;

static float sum_of(const float *row, size_t dim, Sums sums) {
    if (sums == IN_LANES) return row_sum(row, dim);
    if (sums == IN_DOUBLE) return (float)row_sum_double(row, dim);
    float sum = 0;
    for (size_t i = 0; i < dim; i++) sum += row[i];
    return sum;
}

static float squares_of(const float *row, size_t dim, Sums sums) {
    if (sums == IN_LANES) return row_dot(row, row, dim);
    float sum = 0;
    double exact = 0;
    for (size_t i = 0; i < dim; i++) {
        sum += row[i] * row[i];
        exact += (double)row[i] * (double)row[i];
    }
    return sums == IN_DOUBLE ? (float)exact : sum;
}

static double variance_around(const float *row, size_t dim, double mean) {
    double sum = 0;
    for (size_t i = 0; i < dim; i++) sum += pow((double)row[i] - mean, 2);
    return sum / (double)dim;
}

/* Whether these are the numbers, without gain and bias. */
static bool row_is_lost_by(const float *out, const float *row, size_t dim, LostBy by,
                           Sums sums, Sums squares) {
    float mean = sum_of(row, dim, sums) / (float)dim;
    float one_pass = squares_of(row, dim, squares) / (float)dim - mean * mean;
    double variance =
        by == ONE_PASS ? (double)one_pass : variance_around(row, dim, (double)mean);
    for (size_t i = 0; i < dim; i++) {
        double lost = ((double)row[i] - (double)mean) / sqrt(variance + LOST_EPS);
        double got = (double)out[i];
        if (isnan(lost) ? !isnan(got) : !(fabs(got - lost) <= 1e-4 * (1 + fabs(lost))))
            return false;
    }
    return true;
}

static bool is_lost_by(const float *out, const float *x, size_t rows, size_t dim,
                       LostBy by) {
    for (Sums sums = IN_A_LOOP; sums <= IN_DOUBLE; sums++) {
        for (Sums squares = IN_A_LOOP; squares <= IN_DOUBLE; squares++) {
            bool all = by == ONE_PASS || sums != IN_DOUBLE;
            for (size_t r = 0; r < rows && all; r++)
                all =
                    row_is_lost_by(out + r * dim, x + r * dim, dim, by, sums, squares);
            if (all) return true;
        }
    }
    return false;
}

/* Whether only the mean is wrong, or only the variance: all of a row is shifted by one
 * number, or scaled by one. */
static bool looks_lost_by(const float *out, const float *x, size_t rows, size_t dim,
                          LostBy by) {
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim, *got = out + r * dim;
        double mean = row_sum_double(row, dim) / (double)dim, first = NAN;
        double scale = 1 / sqrt(variance_around(row, dim, mean) + LOST_EPS);
        for (size_t i = 0; i < dim; i++) {
            double right = ((double)row[i] - mean) * scale;
            if (isnan(got[i]) && by == ONE_PASS) continue;
            if (fabs(right) < 0.1) continue;
            double off =
                by == ONE_PASS ? (double)got[i] / right : (double)got[i] - right;
            if (isnan(first)) first = off;
            if (!(fabs(off - first) <= 0.05 * (by == ONE_PASS ? fabs(first) : 1)))
                return false;
        }
    }
    return true;
}

/* "; this is what you get when ...", "; perhaps ..." or "". */
static const char *lost_digits(const float *out, const float *x, size_t rows,
                               size_t dim) {
#define IN_FLOAT "the mean is summed in float (a double keeps the digits)"
#define DIFFERENCE                                                                     \
    "the variance is mean(x^2) - mean(x)^2: subtract the mean, then square"
    if (is_lost_by(out, x, rows, dim, FLOAT_MEAN))
        return "; this is what you get when " IN_FLOAT;
    if (is_lost_by(out, x, rows, dim, ONE_PASS))
        return "; this is what you get when " DIFFERENCE;
    if (looks_lost_by(out, x, rows, dim, FLOAT_MEAN)) return "; perhaps " IN_FLOAT;
    if (looks_lost_by(out, x, rows, dim, ONE_PASS)) return "; perhaps " DIFFERENCE;
    return "";
}

#endif
