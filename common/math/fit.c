/* Slopes, means and quantiles: see fit.h. */
#include "math/fit.h"

#include <stdlib.h>

#include "math/fmath.h"

double largest_difference(const float *a, const float *b, size_t n) {
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = larger(largest, fabs((double)a[i] - (double)b[i]));
    return largest;
}

static double as_it_is(double x) {
    return x;
}

static double slope_of(const double *x, const double *y, size_t n,
                       double (*scale)(double)) {
    double mean_x = 0, mean_y = 0, xy = 0, xx = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += scale(x[i]) / (double)n;
        mean_y += scale(y[i]) / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        double dx = scale(x[i]) - mean_x;
        xy += dx * (scale(y[i]) - mean_y);
        xx += dx * dx;
    }
    return xy / xx;
}

double fit_slope(const double *x, const double *y, size_t n) {
    return slope_of(x, y, n, as_it_is);
}

double fit_exponent(const double *x, const double *y, size_t n) {
    return slope_of(x, y, n, log_double);
}

/* With u = x - mean and w = u^2 - p u - q, where p and q make w orthogonal to 1 and u,
 * the parabola's parts are three independent sums. */
double fit_parabola_lowest(const double *x, const double *y, size_t n) {
    double mean = 0, uu = 0, uuu = 0, uy = 0, ww = 0, wy = 0;
    for (size_t i = 0; i < n; i++) mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        double u = x[i] - mean;
        uu += u * u;
        uuu += u * u * u;
        uy += u * y[i];
    }
    double p = uuu / uu, q = uu / (double)n;
    for (size_t i = 0; i < n; i++) {
        double u = x[i] - mean, w = u * u - p * u - q;
        ww += w * w;
        wy += w * y[i];
    }
    /* rounding errors, where there are only two places */
    if (!(ww > 1e-12 * uu * uu)) return NAN;
    double square = wy / ww, linear = uy / uu - square * p;
    return square > 0 ? mean - linear / (2 * square) : NAN;
}

double geometric_mean(const double *x, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += log_double(x[i]);
    return exp_double(sum / (double)n);
}

double mean_of_last(const double *x, size_t n, size_t last) {
    double sum = 0;
    for (size_t i = n - last; i < n; i++) sum += x[i];
    return sum / (double)last;
}

Moments moments_of(const double *x, size_t n) {
    Moments s = {0};
    for (size_t i = 0; i < n; i++) s.mean += x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        s.deviation += (x[i] - s.mean) * (x[i] - s.mean) / (double)(n - 1);
    s.deviation = sqrt(s.deviation);
    return s;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *x, size_t n, double p) {
    if (n == 0) return NAN;
    qsort(x, n, sizeof *x, ascending);
    size_t at = (size_t)ceil(p * (double)n);
    return x[at > 0 ? at - 1 : 0];
}
