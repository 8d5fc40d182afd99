/* Softmax and log-sum-exp in double, and what the tests of exercise
 * 00/softmax_cross_entropy know. */
#ifndef TESTS_PLAIN_SOFTMAX_H
#define TESTS_PLAIN_SOFTMAX_H

#include <math.h>

#include "00-tensors/softmax_cross_entropy.h"
#include "check/known.h"
#include "base/memory.h"

/* Softmax in double over lines of n elements that lie `inner` apart. */
static inline double *plain_softmax(const float *x, size_t outer, size_t n,
                                    size_t inner) {
    double *out = checked_alloc(outer * n * inner, sizeof *out);
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start = line / inner * n * inner + line % inner;
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; i < n; i++) max = fmax(max, (double)x[start + i * inner]);
        for (size_t i = 0; i < n; i++) sum += exp((double)x[start + i * inner] - max);
        for (size_t i = 0; i < n; i++)
            out[start + i * inner] = exp((double)x[start + i * inner] - max) / sum;
    }
    return out;
}

/* See known.h. Lines of n elements that lie `inner` apart. */
static inline void know_lines(const float *x, size_t outer, size_t n, size_t inner) {
    AXES({"outer", "outer", outer}, {"element", "n", n}, {"inner", "inner", inner});
    KNOW(x, "outer element inner");
    KNOW_AS("softmax(x)", plain_softmax(x, outer, n, inner), "outer element inner");
}

/* ln(sum of exp) of each row. */
static inline double *plain_logsumexp(const float *logits, size_t rows, size_t n) {
    double *result = checked_alloc(rows, sizeof *result);
    for (size_t r = 0; r < rows; r++) {
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; i < n; i++) max = fmax(max, (double)logits[r * n + i]);
        for (size_t i = 0; i < n; i++) sum += exp((double)logits[r * n + i] - max);
        result[r] = max + log(sum);
    }
    return result;
}

/* See known.h. */
static inline void know_loss(const float *logits, const int *wanted, size_t rows,
                             size_t n) {
    double *target = checked_alloc(rows * n, sizeof *target);
    size_t counted = 0;
    for (size_t r = 0; r < rows; r++) {
        if (wanted[r] == IGNORE_TARGET) continue;
        target[r * n + (size_t)wanted[r]] = 1;
        counted++;
    }
    AXES({"row", "rows", rows}, {"class", "n", n});
    KNOW(logits, "row class");
    KNOW_AS("softmax(logits)", plain_softmax(logits, rows, n, 1), "row class");
    KNOW_AS("the 1 at the target", target, "row class");
    KNOW_AS("logsumexp", plain_logsumexp(logits, rows, n), "row");
    know_number("the number of rows that count", (double)counted);
}

/* The logits of the loss' tests: so many rows, one of which does not count. */
enum { ROWS = 4, CLASSES = 3 };
static const int targets[ROWS] = {2, IGNORE_TARGET, 0, 1};

/* The loss summed over the rows that count; ignored rows count as class 0 with `ignore`
 * off. */
static inline double plain_loss_sum(const float *logits, const int *wanted, size_t rows,
                                    size_t n, bool ignore) {
    double *logsumexp = plain_logsumexp(logits, rows, n), sum = 0;
    for (size_t r = 0; r < rows; r++) {
        if (wanted[r] == IGNORE_TARGET && ignore) continue;
        size_t target = wanted[r] == IGNORE_TARGET ? 0 : (size_t)wanted[r];
        sum += logsumexp[r] - (double)logits[r * n + target];
    }
    return sum;
}

/* dx with the sum weighted as it should be, or with a mistake in it. */
typedef enum {
    RIGHT,
    NO_SUM,
    SUM_OF_DOUT,
    NO_OUT,
    OWN_OUT,
    SUM_IN_FLOAT,
    LINES_OVERLAP
} Variation;

static inline double *plain_softmax_dx(const float *dout, const double *out,
                                       size_t outer, size_t n, size_t inner,
                                       Variation variation) {
    double *dx = checked_alloc(outer * n * inner, sizeof *dx);
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start =
            line / inner * n * (variation == LINES_OVERLAP ? 1 : inner) + line % inner;
        double sum = 0;
        for (size_t i = 0; i < n && variation != NO_SUM; i++) {
            size_t at = start + i * inner;
            sum += (double)dout[at] *
                   (variation == SUM_OF_DOUT || variation == OWN_OUT ? 1 : out[at]);
            if (variation == SUM_IN_FLOAT) sum = (double)(float)sum;
        }
        for (size_t i = 0; i < n; i++) {
            size_t at = start + i * inner;
            double factor = variation == OWN_OUT ? out[at] : 1;
            dx[at] +=
                (variation == NO_OUT ? 1 : out[at]) * ((double)dout[at] - factor * sum);
        }
    }
    return dx;
}

static inline double *plain_dlogits(const float *logits, double dloss, double counted,
                                    double at_target, bool skip) {
    double *probability = plain_softmax(logits, ROWS, CLASSES, 1);
    for (size_t r = 0; r < ROWS; r++) {
        bool ignored = targets[r] == IGNORE_TARGET;
        if (!ignored) probability[r * CLASSES + (size_t)targets[r]] -= at_target;
        for (size_t i = 0; i < CLASSES; i++) {
            probability[r * CLASSES + i] *= ignored && skip ? 0 : dloss / counted;
        }
    }
    return probability;
}

#endif
