/* LayerNorm in double, forward and backward, with the mistakes that are often made as
 * variations: what the tests of exercise 01/layernorm compare with. */
#ifndef TESTS_LAYERNORM_PLAIN_H
#define TESTS_LAYERNORM_PLAIN_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "check/known.h"
#include "base/memory.h"

/* --- forward --- */

typedef enum {
    RIGHT,
    BESSEL,
    EPS_OUTSIDE,
    NO_EPS,
    OTHER_EPS,
    USUAL_EPS,
    NO_MEAN,
    NO_GAIN,
    NO_BIAS,
    NOT_CENTERED,
    MEAN_OVER_LESS,
    BOTH_OVER_LESS,
    LAST_LEFT_OUT,
    NOT_DIVIDED,
    NO_ROOT,
    MULTIPLIED,
    BIAS_TIMES_GAIN,
    GAIN_BY_ROW,
    COLUMNS,
    ALL_ROWS,
    TORCH_STD,
    NOT_RESET,
    MEAN_NOT_RESET,
    MEAN_KEPT,
    VARIANCE_NOT_RESET,
    VARIANCE_KEPT,
    FIRST_ROW_ONLY,
    BY_ROWS,
    STRIDED,
    NEGATED,
    ABSOLUTE,
    GAIN_PLUS_ONE,
    VARIATIONS
} Variation;

#define MEAN_SUM "the sum for the mean is not set back to 0 for each row"
#define VARIANCE_SUM "the sum for the variance is not set back to 0 for each row"

static const char *const when[VARIATIONS] = {
    [BESSEL] = "the variance is divided by dim - 1 instead of dim",
    [EPS_OUTSIDE] = "eps is added to the standard deviation, outside the root",
    [NO_EPS] = "eps is left out, or a number far smaller stands for it",
    [OTHER_EPS] = "1e-6 stands for eps, whatever the argument says",
    [USUAL_EPS] = "1e-5 stands for eps, whatever the argument says",
    [NO_MEAN] = "the mean is not subtracted (that is RMSNorm)",
    [NO_GAIN] = "the gain is left out",
    [NO_BIAS] = "the bias is left out",
    [NOT_CENTERED] = "the mean of x^2 stands for the variance",
    [MEAN_OVER_LESS] = "the mean is divided by dim - 1 instead of dim",
    [BOTH_OVER_LESS] = "mean and variance are both divided by dim - 1 instead of dim",
    [LAST_LEFT_OUT] = "the last element of the row is left out of the sums",
    [NOT_DIVIDED] = "the sum of squares is not divided by dim",
    [NO_ROOT] = "it is divided by the variance: the root is missing",
    [MULTIPLIED] = "it is multiplied by the standard deviation instead of divided",
    [BIAS_TIMES_GAIN] = "the bias is added before the gain multiplies",
    [GAIN_BY_ROW] = "gain and bias are indexed by the row instead of the element",
    [COLUMNS] = "the statistics run down the columns (that is BatchNorm)",
    [ALL_ROWS] = "all rows share one mean and one variance",
    [TORCH_STD] =
        "it is divided by std + eps with a std over dim - 1 (torch.std does that)",
    [NOT_RESET] = "the sums are not set back to 0 for each row",
    [MEAN_NOT_RESET] = MEAN_SUM,
    [MEAN_KEPT] = MEAN_SUM,
    [VARIANCE_NOT_RESET] = VARIANCE_SUM,
    [VARIANCE_KEPT] = VARIANCE_SUM,
    [FIRST_ROW_ONLY] = "only the first row of out is written: r * dim is missing",
    [BY_ROWS] = "the sums are divided by the number of rows instead of dim",
    [STRIDED] = "x is read at i * rows + r: element i of row r lies at r * dim + i",
    [NEGATED] = "x is subtracted from the mean instead of the mean from x",
    [ABSOLUTE] = "the mean of |x - mean| stands for the standard deviation",
    [GAIN_PLUS_ONE] = "it is multiplied by 1 + gain",
};

/* Mean and variance of the n numbers x[0], x[step], x[2 step] ... */
static void plain_statistics(double *mean, double *variance, const float *x,
                             size_t step, size_t n, Variation variation) {
    size_t summed = variation == LAST_LEFT_OUT ? n - 1 : n;
    double sum = 0, squares = 0, less = (double)(n - 1), whole = (double)n;
    for (size_t k = 0; k < summed; k++) sum += (double)x[k * step];
    *mean = sum /
            (variation == MEAN_OVER_LESS || variation == BOTH_OVER_LESS ? less : whole);
    if (variation == NO_MEAN) *mean = 0;
    double center = variation == NOT_CENTERED ? 0 : *mean;
    for (size_t k = 0; k < summed; k++) {
        double d = fabs((double)x[k * step] - center);
        squares += variation == ABSOLUTE ? d : d * d;
    }
    bool bessel =
        variation == BESSEL || variation == BOTH_OVER_LESS || variation == TORCH_STD;
    *variance = variation == NOT_DIVIDED ? squares : squares / (bessel ? less : whole);
}

/* One of the two sums goes on from row to row: as a sum, or (_KEPT) as what it was
 * divided to, where the variable that holds the sum is divided itself. */
static void plain_statistics_not_reset(double *mean, double *variance, const float *x,
                                       size_t r, size_t dim, Variation variation) {
    bool of_mean = variation == MEAN_NOT_RESET || variation == MEAN_KEPT;
    bool divided = variation == MEAN_KEPT || variation == VARIANCE_KEPT;
    double carried = 0, n = (double)dim;
    for (size_t k = 0; k <= r; k++) {
        plain_statistics(mean, variance, x + k * dim, 1, dim, RIGHT);
        double kept = (of_mean ? *mean : *variance) + carried / n;
        carried = divided ? kept : kept * n;
        if (of_mean) {
            *variance += pow(*mean - kept, 2);
            *mean = kept;
        } else {
            *variance = kept;
        }
    }
}

/* The same where row r cannot be seen alone. */
static void plain_statistics_of_row(double *mean, double *variance, const float *x,
                                    size_t r, size_t rows, size_t dim,
                                    Variation variation) {
    if (variation == ALL_ROWS) {
        plain_statistics(mean, variance, x, 1, rows * dim, RIGHT);
        return;
    }
    if (variation == STRIDED) {
        plain_statistics(mean, variance, x + r, rows, dim, RIGHT);
        return;
    }
    if (variation >= MEAN_NOT_RESET && variation <= VARIANCE_KEPT) {
        plain_statistics_not_reset(mean, variance, x, r, dim, variation);
        return;
    }
    plain_statistics(mean, variance, x + r * dim, 1, dim, variation);
    if (variation == BY_ROWS || variation == NOT_RESET) {
        double sum = 0, squares = 0,
               divisor = (double)(variation == BY_ROWS ? rows : dim);
        for (size_t k = variation == BY_ROWS ? r : 0; k <= r; k++) {
            for (size_t i = 0; i < dim; i++) sum += (double)x[k * dim + i];
            for (size_t i = 0; i < dim; i++)
                squares += pow((double)x[k * dim + i] - sum / divisor, 2);
        }
        *mean = sum / divisor;
        *variance = squares / divisor;
    }
}

static double plain_scale(double variance, double eps, Variation variation) {
    switch (variation) {
    case EPS_OUTSIDE:
    case TORCH_STD:
        return 1 / (sqrt(variance) + eps);
    case NO_EPS:
        return 1 / sqrt(variance);
    case OTHER_EPS:
        return 1 / sqrt(variance + 1e-6);
    case USUAL_EPS:
        return 1 / sqrt(variance + 1e-5);
    case ABSOLUTE:
    case NO_ROOT:
        return 1 / (variance + eps);
    case NEGATED:
        return -1 / sqrt(variance + eps);
    case MULTIPLIED:
        return sqrt(variance + eps);
    default:
        return 1 / sqrt(variance + eps);
    }
}

static double *plain_forward(const float *x, const float *gain, const float *bias,
                             size_t rows, size_t dim, double eps, Variation variation) {
    double *out = checked_alloc(rows * dim, sizeof *out);
    for (size_t r = 0; r < rows; r++) {
        double mean, variance;
        plain_statistics_of_row(&mean, &variance, x, r, rows, dim, variation);
        for (size_t i = 0; i < dim; i++) {
            if (variation == COLUMNS)
                plain_statistics(&mean, &variance, x + i, dim, rows, RIGHT);
            size_t at = variation == GAIN_BY_ROW ? r % dim : i;
            double g = gain && variation != NO_GAIN
                           ? (double)gain[at] + (variation == GAIN_PLUS_ONE)
                           : 1;
            double b = bias && variation != NO_BIAS ? (double)bias[at] : 0;
            double here = (double)x[variation == STRIDED ? i * rows + r : r * dim + i];
            double xhat = (here - mean) * plain_scale(variance, eps, variation);
            out[r * dim + i] =
                variation == BIAS_TIMES_GAIN ? (xhat + b) * g : xhat * g + b;
            if (variation == FIRST_ROW_ONLY) {
                out[i] = out[r * dim + i];
                if (r > 0) out[r * dim + i] = NAN;
            }
        }
    }
    return out;
}

/* The right values of mean and rstd, and common wrong ones of rstd. */
typedef struct {
    double *mean, *rstd, *std, *variance, *no_eps;
} Statistics;

static Statistics plain_rows(const float *x, size_t rows, size_t dim, double eps) {
    Statistics s;
    double **all[] = {&s.mean, &s.rstd, &s.std, &s.variance, &s.no_eps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = checked_alloc(rows, sizeof(double));
    for (size_t r = 0; r < rows; r++) {
        plain_statistics(&s.mean[r], &s.variance[r], x + r * dim, 1, dim, RIGHT);
        s.std[r] = sqrt(s.variance[r] + eps);
        s.rstd[r] = 1 / s.std[r];
        s.no_eps[r] = 1 / sqrt(s.variance[r]);
    }
    return s;
}

/* dx = rstd g - rstd mean(g) - rstd xhat mean(g xhat), with g = dout gain. */
static void know_terms_of_dx(const float *dout, const float *gain, const double *xhat,
                             const double *rstd, size_t rows, size_t dim) {
    double *first = checked_alloc(rows * dim, sizeof(double)),
           *mean = checked_alloc(rows, sizeof(double)),
           *mean_xhat = checked_alloc(rows, sizeof(double)),
           *last = checked_alloc(rows * dim, sizeof(double));
    for (size_t i = 0; i < rows * dim; i++) {
        size_t r = i / dim;
        first[i] = rstd[r] * (double)dout[i] * (gain ? (double)gain[i % dim] : 1);
        mean[r] -= first[i] / (double)dim;
        mean_xhat[r] -= first[i] * xhat[i] / (double)dim;
    }
    for (size_t i = 0; i < rows * dim; i++) last[i] = xhat[i] * mean_xhat[i / dim];
    KNOW_AS("rstd g", first, "row column");
    KNOW_AS("-rstd mean(g)", mean, "row");
    KNOW_AS("-rstd xhat mean(g xhat)", last, "row column");
}

/* The tests' facts of a pass: see known.h. dout, gain and bias may be NULL. */
static Statistics know_pass(const float *x, const float *dout, const float *gain,
                            const float *bias, size_t rows, size_t dim, double eps) {
    Statistics s = plain_rows(x, rows, dim, eps);
    double *xhat = checked_alloc(rows * dim, sizeof *xhat);
    for (size_t i = 0; i < rows * dim; i++)
        xhat[i] = ((double)x[i] - s.mean[i / dim]) * s.rstd[i / dim];
    AXES({"row", "rows", rows}, {"column", "dim", dim});
    KNOW(x, "row column");
    KNOW(xhat, "row column");
    KNOW(dout, "row column");
    KNOW(gain, "column");
    KNOW(bias, "column");
    KNOW_AS("mean", s.mean, "row");
    KNOW_AS("rstd", s.rstd, "row");
    if (dout) know_terms_of_dx(dout, gain, xhat, s.rstd, rows, dim);
    know_shape("dgain", "column");
    know_shape("dbias", "column");
    know_number("eps", eps);
    return s;
}

static float *as_float(const double *x, size_t n) {
    float *copy = guarded_alloc(n, sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = (float)x[i];
    return copy;
}

/* --- backward --- */

typedef struct {
    double mean_term, xhat_term; /* the factors of the two terms; right: -1 */
    bool no_gain, gain_by_row, no_gain_in_means, no_gain_in_first, gain_in_front,
        no_rstd, xhat_without_rstd, sums_not_reset;
    double divisor; /* of the means; 0: dim */
    double eps;     /* of the forward pass; 0: 1e-5 */
} DxVariation;

static double *plain_dx(const float *x, const float *dout, const float *gain,
                        size_t rows, size_t dim, DxVariation v) {
    Statistics s = plain_rows(x, rows, dim, v.eps > 0 ? v.eps : 1e-5);
    double *dx = checked_alloc(rows * dim, sizeof *dx),
           n = v.divisor > 0 ? v.divisor : (double)dim;
    double mean_g = 0, mean_gx = 0;
    for (size_t r = 0; r < rows; r++) {
        if (!v.sums_not_reset) mean_g = mean_gx = 0;
        double xhat_scale = v.xhat_without_rstd ? 1 : s.rstd[r];
        bool without = v.no_gain || v.no_gain_in_means || v.gain_in_front;
        for (size_t i = 0; i < dim; i++) {
            double g = (double)dout[r * dim + i] *
                       (without ? 1 : (double)gain[v.gain_by_row ? r % dim : i]);
            mean_g += (v.no_gain_in_first ? (double)dout[r * dim + i] : g) / n;
            mean_gx += g * ((double)x[r * dim + i] - s.mean[r]) * xhat_scale / n;
        }
        for (size_t i = 0; i < dim; i++) {
            double own = (double)gain[v.gain_by_row ? r % dim : i];
            double g =
                (double)dout[r * dim + i] * (v.no_gain || v.gain_in_front ? 1 : own);
            double xhat = ((double)x[r * dim + i] - s.mean[r]) * xhat_scale;
            dx[r * dim + i] = (v.no_rstd ? 1 : s.rstd[r]) *
                              (v.gain_in_front ? (double)gain[i] : 1) *
                              (g + v.mean_term * mean_g + v.xhat_term * xhat * mean_gx);
        }
    }
    return dx;
}

#endif
