/* LayerNorm's gradient term by term: the formula that the lesson derives, and the same
 * without each of its terms, against central differences of the norm itself. */
#include <math.h>
#include <stdio.h>

#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "program/claim.h"
#include "math/fit.h"
#include "tensor/gradcheck.h"
#include "math/random.h"

enum { FEATURES = 8, SEEDS = 5 };
static const double EPS = 1e-5;

/* L = sum of dy * y, so that dL/dy is dy; y = xhat * gain. */
typedef struct {
    double dy[FEATURES], gain[FEATURES];
} Problem;

static double mean_of(const double *x) {
    double sum = 0;
    for (size_t i = 0; i < FEATURES; i++) sum += x[i];
    return sum / FEATURES;
}

/* Writes xhat and returns 1 / sqrt(variance + eps). */
static double normalize(double *xhat, const double *x) {
    double mean = mean_of(x), squares = 0;
    for (size_t i = 0; i < FEATURES; i++) squares += (x[i] - mean) * (x[i] - mean);
    double r = 1 / sqrt(squares / FEATURES + EPS);
    for (size_t i = 0; i < FEATURES; i++) xhat[i] = (x[i] - mean) * r;
    return r;
}

static double loss(const double *x, size_t n, void *context) {
    const Problem *p = context;
    double xhat[FEATURES], sum = 0;
    normalize(xhat, x);
    for (size_t i = 0; i < n; i++) sum += p->dy[i] * p->gain[i] * xhat[i];
    return sum;
}

/* The last step of the derivation. A statistic that is taken for a constant has the
 * factor 0, else 1. */
static void formula(float *dx, const Problem *p, const double *x, double mean,
                    double variance) {
    double xhat[FEATURES], g[FEATURES], g_xhat[FEATURES], r = normalize(xhat, x);
    for (size_t i = 0; i < FEATURES; i++) {
        g[i] = p->dy[i] * p->gain[i];
        g_xhat[i] = g[i] * xhat[i];
    }
    for (size_t i = 0; i < FEATURES; i++)
        dx[i] = (float)(r * (g[i] - mean * mean_of(g) -
                             variance * xhat[i] * mean_of(g_xhat)));
}

static void kernel(float *dx, const Problem *p, const double *x) {
    float row[FEATURES], dy[FEATURES], gain[FEATURES], out[FEATURES], mean, rstd;
    for (size_t i = 0; i < FEATURES; i++) {
        row[i] = (float)x[i];
        dy[i] = (float)p->dy[i];
        gain[i] = (float)p->gain[i];
        dx[i] = 0;
    }
    layernorm_forward(out, &mean, &rstd, row, gain, NULL, 1, FEATURES, (float)EPS);
    layernorm_backward(dx, NULL, NULL, dy, row, &mean, &rstd, gain, 1, FEATURES);
}

enum { ALL_TERMS, KERNEL, NO_MEAN, NO_VARIANCE, CONSTANTS, WAYS };
static const char *const way_names[WAYS] = {
    "all three terms", "layernorm_backward", "without mean(g)",
    "without xhat mean(g xhat)", "statistics as constants"};

/* How far each way is from the differences, in the largest element of the gradient. */
static void measure(double error[WAYS], uint64_t seed) {
    Random random = random_stream(seed, STREAM_SAMPLE);
    Problem p;
    double x[FEATURES], numeric[FEATURES];
    for (size_t i = 0; i < FEATURES; i++) {
        x[i] = random_normal(&random);
        p.dy[i] = random_normal(&random);
        p.gain[i] = 1 + random_normal(&random) / 2;
    }
    numeric_gradient(numeric, loss, x, FEATURES, 3e-5, &p);
    float dx[WAYS][FEATURES];
    formula(dx[ALL_TERMS], &p, x, 1, 1);
    kernel(dx[KERNEL], &p, x);
    formula(dx[NO_MEAN], &p, x, 0, 1);
    formula(dx[NO_VARIANCE], &p, x, 1, 0);
    formula(dx[CONSTANTS], &p, x, 0, 0);
    for (size_t w = 0; w < WAYS; w++)
        error[w] = relative_difference(dx[w], numeric, FEATURES);
}

void experiment_derivation(const Settings *settings) {
    double error[WAYS], least[WAYS], most[WAYS];
    for (size_t s = 0; s < SEEDS; s++) {
        measure(error, settings->seed + s);
        for (size_t w = 0; w < WAYS; w++) {
            least[w] = s ? smaller(least[w], error[w]) : error[w];
            most[w] = s ? larger(most[w], error[w]) : error[w];
        }
    }
    printf("dL/dx of a row of %d against central differences, in its largest element; "
           "%d seeds\n",
           FEATURES, SEEDS);
    for (size_t w = 0; w < WAYS; w++)
        printf("%-26s %7.0e to %.0e\n", way_names[w], least[w], most[w]);
    claim(larger(most[ALL_TERMS], most[KERNEL]) < 1e-6,
          "the formula and the kernel are the derivative, within %.0e (1e-6)",
          larger(most[ALL_TERMS], most[KERNEL]));
    double wrong =
        smaller(least[NO_MEAN], smaller(least[NO_VARIANCE], least[CONSTANTS]));
    claim(wrong > 1e-4, "without a term it is off by %.0e or more (1e-4)", wrong);
}
