/* RMSNorm over the first `part` elements of a row, in plain double, with the mistakes
 * that are often made as variations. part = dim is RMSNorm itself. */
#ifndef TESTS_PLAIN_RMSNORM_H
#define TESTS_PLAIN_RMSNORM_H

#include <math.h>

#include "check/check.h"
#include "base/memory.h"

typedef enum {
    RIGHT,
    EPS_OUTSIDE, /* x / (rms + eps) */
    NO_EPS,
    CENTERED,       /* LayerNorm */
    CENTERED_SCALE, /* the variance under the root, although no mean is subtracted */
    BESSEL,         /* / (n - 1) */
    SUM,            /* not divided */
    MULTIPLIED,     /* x * rms */
    NO_GAIN,
    GAIN_PLUS_ONE,
    NO_ROOT,
    WHOLE_ROW,      /* part is ignored */
    DIVIDED_BY_DIM, /* sum over part, divided by dim */
    ONE_MORE,       /* part + 1 elements are measured, divided by part */
    LAST_PART,      /* the last elements are measured */
    ONLY_PART_SCALED,
    GAIN_INSIDE, /* the mean square of x * gain */
    NOT_RESET,   /* the sum of squares grows from row to row */
} Variation;

/* Sets the meaning of a crash from here on, if gain is NULL. */
static inline void may_lack_gain(const float *gain) {
    if (!gain)
        crash_means(
            "gain[i] is read though gain is NULL: a gain that is NULL counts as 1");
}

/* The scale of one row. */
static inline double plain_scale(const double *row, size_t dim, size_t part, double eps,
                                 Variation variation) {
    size_t n = variation == WHOLE_ROW ? dim : part,
           start = variation == LAST_PART ? dim - part : 0;
    double mean = 0, sum = 0;
    for (size_t i = start; i < start + n; i++) mean += row[i] / (double)n;
    if (variation != CENTERED && variation != CENTERED_SCALE) mean = 0;
    for (size_t i = start; i < start + n; i++) sum += (row[i] - mean) * (row[i] - mean);
    if (variation == ONE_MORE && part < dim) sum += row[part] * row[part];
    if (variation == BESSEL) n = n > 1 ? n - 1 : 1;
    if (variation == DIVIDED_BY_DIM) n = dim;
    if (variation == SUM) n = 1;
    double mean_square =
        sum / (double)n + (variation == NO_EPS || variation == EPS_OUTSIDE ? 0 : eps);
    if (variation == MULTIPLIED) return sqrt(mean_square);
    if (variation == NO_ROOT) return 1 / mean_square;
    return 1 / (sqrt(mean_square) + (variation == EPS_OUTSIDE ? eps : 0));
}

/* The inputs of a pass, and where its gradients go: x [rows, dim], gain [dim] or NULL,
 * dout [rows, dim] or NULL. rrms are the right statistics, rounded, so that a wrong
 * forward pass does not fail a right backward pass. */
typedef struct {
    size_t rows, dim, part, n;
    double eps;
    const float *x, *gain, *dout, *rrms;
    const double *x_double, *gain_double, *dout_double;
    float *dx, *dgain;
} Pass;

static inline Pass pass_of(const float *x, const float *gain, const float *dout,
                           size_t rows, size_t dim, size_t part, double eps) {
    Pass p = {rows, dim, part, rows * dim, eps, .x = x, .gain = gain, .dout = dout};
    p.x_double = as_double(x, p.n);
    if (gain) p.gain_double = as_double(gain, dim);
    if (dout) p.dout_double = as_double(dout, p.n);
    float *rrms = guarded_alloc(rows, sizeof *rrms);
    for (size_t r = 0; r < rows; r++)
        rrms[r] = (float)plain_scale(p.x_double + r * dim, dim, part, eps, RIGHT);
    p.rrms = rrms;
    p.dx = ones_and_a_half(p.n);
    p.dgain = ones_and_a_half(dim);
    return p;
}

static inline Pass random_pass(size_t rows, size_t dim, size_t part, double eps,
                               unsigned seed) {
    size_t n = rows * dim;
    return pass_of(normal_floats(n, 2, seed), normal_floats(dim, 1, seed + 1),
                   normal_floats(n, 1, seed + 2), rows, dim, part, eps);
}

/* With another eps than the pass has, if a mistake asks for it. */
static inline double *plain_forward(const Pass *p, double eps, Variation variation) {
    size_t dim = p->dim, part = p->part;
    const double *gain = p->gain_double;
    double *out = checked_alloc(p->n, sizeof *out), sum = 0;
    for (size_t r = 0; r < p->rows; r++) {
        const double *row = p->x_double + r * dim;
        double scale = plain_scale(row, dim, part, eps, variation), mean = 0;
        for (size_t i = 0; variation == NOT_RESET && i < part; i++)
            sum += row[i] * row[i];
        double *scaled = checked_alloc(dim, sizeof *scaled);
        for (size_t i = 0; i < dim; i++) scaled[i] = row[i] * (gain ? gain[i] : 1);
        if (variation == GAIN_INSIDE)
            scale = plain_scale(scaled, dim, part, eps, RIGHT);
        if (variation == NOT_RESET) scale = 1 / sqrt(sum / (double)part + eps);
        for (size_t i = 0; variation == CENTERED && i < dim; i++)
            mean += row[i] / (double)dim;
        for (size_t i = 0; i < dim; i++) {
            double factor = variation == ONLY_PART_SCALED && i >= part ? 1 : scale;
            double g = gain && variation != NO_GAIN
                           ? gain[i] + (variation == GAIN_PLUS_ONE)
                           : 1;
            out[r * dim + i] = (row[i] - mean) * factor * g;
        }
    }
    return out;
}

/* dx in double with g = dout * gain; the switches leave a term out or put a wrong one
 * in. */
typedef struct {
    bool no_xhat_term, part_of_sum, mean_term, no_gain, not_divided, added, no_rrms,
        xhat_without_rrms; /* RMSNorm */
    bool sum_over_part, subtracted_everywhere, divided_by_dim, no_gain_in_sum,
        no_gain_in_rest, rest_left_out; /* pRMSNorm */
} BackwardMistake;

static inline double gain_of_g(const double *gain, size_t i, size_t part,
                               BackwardMistake wrong) {
    bool none = !gain || wrong.no_gain || (wrong.no_gain_in_rest && i >= part);
    return none ? 1 : gain[i];
}

static inline double *plain_dx(const Pass *p, double eps, BackwardMistake wrong) {
    size_t dim = p->dim, part = p->part;
    const double *gain = p->gain_double;
    double *dx = checked_alloc(p->n, sizeof *dx);
    for (size_t r = 0; r < p->rows; r++) {
        const double *row = p->x_double + r * dim, *drow = p->dout_double + r * dim;
        double rrms = plain_scale(row, dim, part, eps, RIGHT), sum = 0, mean_g = 0;
        double xhat_scale = wrong.xhat_without_rrms ? 1 : rrms,
               sign = wrong.added ? -1 : 1;
        double n = wrong.not_divided ? 1 : (double)(wrong.divided_by_dim ? dim : part);
        for (size_t i = 0; i < dim; i++) {
            double g = drow[i] * gain_of_g(gain, i, part, wrong);
            mean_g += g / (double)dim;
            if (wrong.no_gain_in_sum) g = drow[i];
            if (i < part || !wrong.sum_over_part) sum += g * row[i] * xhat_scale;
        }
        if (wrong.part_of_sum) sum = 0;
        for (size_t i = 0; i < dim; i++) {
            double g = drow[i] * gain_of_g(gain, i, part, wrong);
            if (wrong.part_of_sum) sum += g * row[i] * xhat_scale;
            bool measured = i < part || wrong.subtracted_everywhere;
            double term = measured && !wrong.no_xhat_term
                              ? sign * row[i] * xhat_scale * sum / n
                              : 0;
            dx[r * dim + i] = (wrong.no_rrms ? 1 : rrms) *
                              (g - (wrong.mean_term ? mean_g : 0) - term);
            if (wrong.rest_left_out && i >= part) dx[r * dim + i] = 0;
        }
    }
    return dx;
}

/* dgain in double; the switches are mistakes. */
typedef struct {
    bool with_gain, without_rrms, only_part, mean_of_rows;
} DgainMistake;

static inline double *plain_dgain(const Pass *p, DgainMistake wrong) {
    double *dgain = checked_alloc(p->dim, sizeof *dgain);
    for (size_t i = 0; i < p->n; i++) {
        size_t c = i % p->dim;
        const double *row = p->x_double + i - c;
        double rrms = plain_scale(row, p->dim, p->part, p->eps, RIGHT);
        if (wrong.only_part && c >= p->part) continue;
        dgain[c] += p->dout_double[i] * row[c] * (wrong.without_rrms ? 1 : rrms) *
                    (wrong.with_gain ? p->gain_double[c] : 1) /
                    (wrong.mean_of_rows ? (double)p->rows : 1);
    }
    return dgain;
}

/* dx = rrms g - rrms xhat S in the first `part` columns, with g = dout gain. */
static inline void know_terms_of_dx(const Pass *p, const double *xhat) {
    size_t n = p->n, dim = p->dim;
    double *first = checked_alloc(n, sizeof *first),
           *without_gain = checked_alloc(n, sizeof *without_gain),
           *last = checked_alloc(n, sizeof *last),
           *sum = checked_alloc(p->rows, sizeof *sum);
    for (size_t i = 0; i < n; i++) {
        without_gain[i] = p->dout_double[i] * (double)p->rrms[i / dim];
        first[i] = without_gain[i] * (p->gain ? p->gain_double[i % dim] : 1);
        sum[i / dim] += first[i] * xhat[i] / (double)p->part;
    }
    for (size_t i = 0; i < n; i++)
        last[i] = i % dim < p->part ? -xhat[i] * sum[i / dim] : 0;
    KNOW_AS("rrms g", first, "row column");
    if (p->gain) KNOW_AS("rrms dout", without_gain, "row column");
    KNOW_AS(p->part < dim ? "-rrms xhat S" : "-rrms xhat mean(g xhat)", last,
            "row column");
}

/* See known.h. */
static inline void know_pass(const Pass *p) {
    size_t dim = p->dim;
    double *xhat = checked_alloc(p->n, sizeof *xhat);
    for (size_t i = 0; i < p->n; i++)
        xhat[i] = p->x_double[i] * (double)p->rrms[i / dim];
    if (p->part < dim)
        AXES({"row", "rows", p->rows}, {"column", "dim", dim},
             {"measured column", "part", p->part});
    else
        AXES({"row", "rows", p->rows}, {"column", "dim", dim});
    KNOW_AS("x", p->x_double, "row column");
    KNOW(xhat, "row column");
    KNOW_AS("dout", p->dout, "row column");
    KNOW_AS("gain", p->gain, "column");
    KNOW_AS("rrms", p->rrms, "row");
    if (p->dout) know_terms_of_dx(p, xhat);
    know_shape("dgain", "column");
    know_number("eps", p->eps);
}

#endif
