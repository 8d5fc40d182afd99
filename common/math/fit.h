/* Statistics for claims: slopes, exponents of power laws, means, quantiles,
 * differences. */
#ifndef MATH_FIT_H
#define MATH_FIT_H

#include <math.h>
#include <stddef.h>

/* The larger of the two, and the smaller. NaN if one of them is, where fmax and fmin
 * would pass it over: a claim about the largest of several measurements must fail if
 * one was no number. */
static inline double larger(double a, double b) {
    return a > b || isnan(a) ? a : b;
}
static inline double smaller(double a, double b) {
    return a < b || isnan(a) ? a : b;
}

/* The largest |a[i] - b[i]|, or NaN. */
double largest_difference(const float *a, const float *b, size_t n);

/* The least-squares slope of y over x, n >= 2 points of which two differ in x; else
 * NaN. */
double fit_slope(const double *x, const double *y, size_t n);

/* The k of y = c x^k that fits best: the slope of ln y over ln x. All x and y must be
 * above 0; else NaN. How experiments put a number on "falls as the root of" or "grows
 * as the square". */
double fit_exponent(const double *x, const double *y, size_t n);

/* The x at which the least-squares parabola of y over x has its lowest point, n >= 3
 * points of which three differ in x, else NaN; NaN also if it opens downwards. */
double fit_parabola_lowest(const double *x, const double *y, size_t n);

/* The geometric mean of n positive numbers. */
double geometric_mean(const double *x, size_t n);

/* The mean of the last `last` of n numbers. */
double mean_of_last(const double *x, size_t n, size_t last);

/* The mean and the standard deviation (n - 1) of n numbers; the deviation of one number
 * is NaN. */
typedef struct {
    double mean, deviation;
} Moments;
Moments moments_of(const double *x, size_t n);

/* The smallest of x [n] that at least the share p of them does not exceed: p = 0.5 is
 * the (lower) median. x is sorted in place; NaN for n = 0. */
double quantile(double *x, size_t n, double p);

#endif
