/* A layer under changes of its weights and data: see invariance.h. All in double and
 * with eps = 0, so that an algebraic invariance holds to 15 digits. */
#include "01-layernorm-vs-batchnorm/invariance.h"

#include <math.h>

#include "math/fit.h"

void norm_problem_draw(NormProblem *p, double scale, Random *random) {
    for (size_t i = 0; i < p->cases * p->inputs; i++) p->x[i] = random_normal(random);
    for (size_t i = 0; i < p->inputs * p->units; i++)
        p->weight[i] = scale * random_normal(random);
}

static void change_problem(NormProblem *p, InvarianceChange change) {
    for (size_t i = 0; i < p->inputs; i++) {
        double *weights = p->weight + i * p->units;
        for (size_t u = 0; u < p->units; u++) {
            if (change == SCALE_MATRIX || (change == SCALE_VECTOR && u == p->unit))
                weights[u] *= p->factor;
            if (change == SHIFT_MATRIX) weights[u] += p->weight_shift[i];
        }
        for (size_t n = 0; n < p->cases; n++) {
            double *x = p->x + n * p->inputs + i;
            if (change == SCALE_DATA || (change == SCALE_CASE && n == 0))
                *x *= p->factor;
            if (change == SHIFT_DATA) *x += p->data_shift[i];
        }
    }
}

static void normalized_layer(double *out, const NormProblem *p, Normalize *normalize) {
    for (size_t n = 0; n < p->cases; n++) {
        for (size_t u = 0; u < p->units; u++) {
            double sum = 0;
            for (size_t i = 0; i < p->inputs; i++)
                sum += p->x[n * p->inputs + i] * p->weight[i * p->units + u];
            out[n * p->units + u] = sum;
        }
    }
    normalize(out, p);
}

double invariance_effect(const NormProblem *p, InvarianceChange change,
                         Normalize *normalize) {
    double before[MAX_CASES * MAX_UNITS], after[MAX_CASES * MAX_UNITS], largest = 0,
                                                                        difference = 0;
    NormProblem changed = *p;
    change_problem(&changed, change);
    normalized_layer(before, p, normalize);
    normalized_layer(after, &changed, normalize);
    for (size_t i = 0; i < p->cases * p->units; i++) {
        largest = larger(largest, fabs(before[i]));
        difference = larger(difference, fabs(after[i] - before[i]));
    }
    return difference / largest;
}

/* --- the norms --- */

/* Subtracts the mean of the n numbers a[0], a[step] ... and divides by their
 * deviation. */
static void standardize(double *a, size_t n, size_t step) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++) mean += a[i * step] / (double)n;
    for (size_t i = 0; i < n; i++)
        variance += (a[i * step] - mean) * (a[i * step] - mean) / (double)n;
    for (size_t i = 0; i < n; i++) a[i * step] = (a[i * step] - mean) / sqrt(variance);
}

void normalize_cases(double *out, const NormProblem *p) {
    for (size_t n = 0; n < p->cases; n++) standardize(out + n * p->units, p->units, 1);
}

void normalize_batch(double *out, const NormProblem *p) {
    for (size_t u = 0; u < p->units; u++) standardize(out + u, p->cases, p->units);
}

void normalize_weights(double *out, const NormProblem *p) {
    for (size_t u = 0; u < p->units; u++) {
        double length = 0;
        for (size_t i = 0; i < p->inputs; i++)
            length += p->weight[i * p->units + u] * p->weight[i * p->units + u];
        for (size_t n = 0; n < p->cases; n++) out[n * p->units + u] /= sqrt(length);
    }
}
