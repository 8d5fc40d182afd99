/* Expected errors of codecs: see theory.h. */
#include "14-compression/theory.h"

#include <math.h>

#include "14-compression/dct_topk.h"
#include "math/fmath.h"

static const double ln2 = 0.69314718055994530942;

/* The density of the normal distribution. */
static double phi(double t) {
    const double root_two_pi = 2.50662827463100050242;
    return exp_double(-t * t / 2) / root_two_pi;
}

/* The share between 0 and t >= 0, by Simpson's rule. Beyond 10 nothing is left in
 * double. */
static double share_to(double t) {
    enum { STEPS = 1000 };
    double end = t < 10 ? t : 10, h = end / STEPS, sum = phi(0) + phi(end);
    for (int i = 1; i < STEPS; i++) sum += (i % 2 ? 4 : 2) * phi(i * h);
    return sum * h / 3;
}

double top_share_error(double f) {
    double low = 0, high = 10; /* around t */
    for (int halving = 0; halving < 60; halving++) {
        double t = (low + high) / 2;
        if (1 - 2 * share_to(t) > f)
            low = t;
        else
            high = t;
    }
    return sqrt(fmax(0, 1 - f - 2 * low * phi(low)));
}

double group_error(size_t n) {
    enum { STEPS = 2000, END = 10 };
    double h = (double)END / STEPS, square = 0; /* E m^2 = integral of 2 t P(m > t) */
    for (int i = 0; i < STEPS; i++) {
        double t = (i + 0.5) * h;
        square += 2 * t * (1 - pow(2 * share_to(t), (double)n)) * h;
    }
    double others = 1 - 1 / (double)n;
    return sqrt(others * square / (8 * 8 * 12));
}

double rate_bound(double bits) {
    return exp_double(-bits * ln2);
}

double coding_gain(const float *w, size_t rows, size_t cols) {
    enum { SIDE = 32, PLACES = SIDE * SIDE };
    size_t down = rows / SIDE, across = cols / SIDE;
    float d[PLACES], tile[PLACES], coefficients[PLACES];
    double squares[PLACES] = {0}, sum = 0, logs = 0;
    dct_matrix(d, SIDE);
    for (size_t i = 0; i < down * across; i++) {
        const float *from = w + i / across * SIDE * cols + i % across * SIDE;
        for (size_t at = 0; at < PLACES; at++)
            tile[at] = from[at / SIDE * cols + at % SIDE];
        dct_forward(coefficients, tile, d, SIDE);
        for (size_t at = 0; at < PLACES; at++)
            squares[at] += (double)coefficients[at] * (double)coefficients[at];
    }
    for (size_t at = 0; at < PLACES; at++) {
        sum += squares[at];
        logs += log_double(squares[at]);
    }
    return 0.5 * (log_double(sum / PLACES) - logs / PLACES) / ln2;
}
