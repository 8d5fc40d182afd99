/* Three kernels in steps: see kernels.h. */
#include "15-speed/kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/matmul.h"
#include "kernels/columns.h"
#include "math/fmath.h"
#include "base/memory.h"
#include "base/size.h"
#include "kernels/reduce.h"
#include "kernels/softmax.h"

/* --- LayerNorm backward. Step 1 goes over a row three times, and then twice over all
 * columns --- */

void norm_back_three_loops(float *dx, float *dgain, float *dbias, const float *dout,
                           const float *x, const float *mean, const float *rstd,
                           const float *gain, size_t rows, size_t dim) {
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim, *dout_row = dout + r * dim;
        double sum_g = row_sum_products(dout_row, gain, dim);
        double sum_g_xhat =
            row_sum_normalized(dout_row, gain, row, mean[r], rstd[r], dim);
        float mean_g = (float)(sum_g / (double)dim);
        float mean_g_xhat = (float)(sum_g_xhat / (double)dim);
        for (size_t i = 0; i < dim; i++) {
            float g = dout_row[i] * gain[i], xhat = (row[i] - mean[r]) * rstd[r];
            dx[r * dim + i] += rstd[r] * (g - mean_g - xhat * mean_g_xhat);
        }
    }
    column_sums_normalized(dgain, dout, x, mean, rstd, rows, dim);
    column_sums(dbias, dout, rows, dim);
}

/* Step 2: both sums of a row in one loop, each in the order of row_sum_normalized. */

/* The inputs of one row. */
typedef struct {
    const float *dout, *x, *gain; /* [dim] */
    float mean, rstd;
} NormRow;

enum { PART = 256 };

//> two_sums
static void two_sums(double *sum_g, double *sum_g_xhat, const NormRow *r, size_t dim) {
    float g[PART], g_xhat[PART];
    *sum_g = *sum_g_xhat = 0;
    for (size_t start = 0; start < dim; start += PART) {
        size_t n = size_min(PART, dim - start);
        for (size_t i = 0; i < n; i++) {
            g[i] = r->dout[start + i] * r->gain[start + i];
            g_xhat[i] = g[i] * (r->x[start + i] - r->mean) * r->rstd;
        }
        *sum_g += (double)row_sum(g, n);
        *sum_g_xhat += (double)row_sum(g_xhat, n);
    }
}
//< two_sums

static void norm_back_row(float *dx, const NormRow *r, size_t dim) {
    double sum_g, sum_g_xhat;
    two_sums(&sum_g, &sum_g_xhat, r, dim);
    float mean_g = (float)(sum_g / (double)dim),
          mean_g_xhat = (float)(sum_g_xhat / (double)dim);
    for (size_t i = 0; i < dim; i++) {
        float g = r->dout[i] * r->gain[i], xhat = (r->x[i] - r->mean) * r->rstd;
        dx[i] += r->rstd * (g - mean_g - xhat * mean_g_xhat);
    }
}

void norm_back_two_sums(float *dx, float *dgain, float *dbias, const float *dout,
                        const float *x, const float *mean, const float *rstd,
                        const float *gain, size_t rows, size_t dim) {
    for (size_t r = 0; r < rows; r++)
        norm_back_row(dx + r * dim,
                      &(NormRow){dout + r * dim, x + r * dim, gain, mean[r], rstd[r]},
                      dim);
    column_sums_normalized(dgain, dout, x, mean, rstd, rows, dim);
    column_sums(dbias, dout, rows, dim);
}

/* Step 3: a row is added to the sums of the columns while it is in the cache, and so
 * are these sums. They are those of a part of the rows, as column_sums has them: hence
 * the same bytes. */

//> one_sweep
static void add_to_columns(float *dgain, float *dbias, const NormRow *r, size_t dim) {
    for (size_t i = 0; i < dim; i++) {
        dgain[i] += r->dout[i] * (r->x[i] - r->mean) * r->rstd;
        dbias[i] += r->dout[i];
    }
}

void norm_back_one_sweep(float *dx, float *dgain, float *dbias, const float *dout,
                         const float *x, const float *mean, const float *rstd,
                         const float *gain, size_t rows, size_t dim) {
    size_t part = column_part(rows);
    float *of_part = checked_alloc(2 * dim, sizeof *of_part);
    for (size_t r = 0; r < rows; r++) {
        NormRow row = {dout + r * dim, x + r * dim, gain, mean[r], rstd[r]};
        norm_back_row(dx + r * dim, &row, dim);
        add_to_columns(of_part, of_part + dim, &row, dim);
        if ((r + 1) % part == 0 || r + 1 == rows) {
            for (size_t i = 0; i < dim; i++) {
                dgain[i] += of_part[i];
                dbias[i] += of_part[dim + i];
            }
            memset(of_part, 0, 2 * dim * sizeof *of_part);
        }
    }
    free(of_part);
}
//< one_sweep

/* --- softmax. Step 1: the largest number, the exponentials and their sum, the
 * quotients --- */

static void row_in_three_passes(float *out, const float *x, size_t n) {
    float max = -INFINITY;
    for (size_t i = 0; i < n; i++) max = x[i] > max ? x[i] : max;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = exp_float(x[i] - max);
        sum += (double)out[i];
    }
    float factor = (float)(1.0 / sum);
    for (size_t i = 0; i < n; i++) out[i] *= factor;
}

void softmax_three_passes(float *out, const float *x, size_t rows, size_t n) {
    for (size_t r = 0; r < rows; r++) row_in_three_passes(out + r * n, x + r * n, n);
}

/* Step 2: the largest number so far, and the sum of exp(x - max), in one pass. */

typedef struct {
    float max;
    double sum;
} Running;

//> online
static void expect(Running *r, float max) {
    if (max > r->max) { /* what was added so far was measured from a smaller one */
        r->sum *= (double)exp_float(r->max - max);
        r->max = max;
    }
}

static void write_quotients(float *out, const float *x, const Running *r, size_t n) {
    float factor = (float)(1.0 / r->sum), max = r->max;
    for (size_t i = 0; i < n; i++) out[i] = exp_float(x[i] - max) * factor;
}

static void row_online(float *out, const float *x, size_t n) {
    Running r = {-FLT_MAX, 0};
    for (size_t i = 0; i < n; i++) {
        expect(&r, x[i]);
        r.sum += (double)exp_float(x[i] - r.max);
    }
    write_quotients(out, x, &r, n);
}
//< online

void softmax_online(float *out, const float *x, size_t rows, size_t n) {
    for (size_t r = 0; r < rows; r++) row_online(out + r * n, x + r * n, n);
}

/* Step 3: the same for 256 numbers at a time, 16 lines of the cache, which stay in it:
 * each loop over them is vector code, where one number at a time waits for the one
 * before. */

//> by_parts
static void row_by_parts(float *out, const float *x, size_t n) {
    Running r = {-FLT_MAX, 0};
    for (size_t start = 0; start < n; start += PART) {
        size_t size = size_min(PART, n - start);
        float part[PART];
        expect(&r, row_max(x + start, size));
        for (size_t i = 0; i < size; i++) part[i] = exp_float(x[start + i] - r.max);
        r.sum += (double)row_sum(part, size);
    }
    write_quotients(out, x, &r, n);
}
//< by_parts

void softmax_by_parts(float *out, const float *x, size_t rows, size_t n) {
    for (size_t r = 0; r < rows; r++) row_by_parts(out + r * n, x + r * n, n);
}

/* --- attention. Step 2 of four: a band of rows of the weights at a time, in the place
 * of all of them --- */

static void softmax_of_band(float *weights, size_t first, size_t rows, size_t seen,
                            const AttentionShape *s) {
    float scale = 1.0f / sqrtf((float)s->head_dim);
    for (size_t t = 0; t < rows; t++) {
        float *row = weights + t * seen;
        size_t n = attention_visible(s, first + t);
        row_softmax(row, row, n, scale);
        memset(row + n, 0, (seen - n) * sizeof *row);
    }
}

//> bands
void attention_by_bands(float *out, float *weights, const float *q, const float *k,
                        const float *v, const AttentionShape *s) {
    size_t head = s->length * s->head_dim;
    for (size_t h = 0; h < s->n_heads;
         h++, out += head, q += head, k += head, v += head) {
        for (size_t first = 0; first < s->length; first += BAND) {
            size_t rows = size_min(BAND, s->length - first),
                   seen = attention_visible(s, first + rows - 1);
            matmul_a_bt(weights, q + first * s->head_dim, k, rows, seen, s->head_dim,
                        false);
            softmax_of_band(weights, first, rows, seen, s);
            matmul(out + first * s->head_dim, weights, v, rows, s->head_dim, seen,
                   false);
        }
    }
}
//< bands

/* Step 3: a tile of the weights at a time, TILE_KEYS columns of a band. A row goes on
 * from tile to tile as softmax_by_parts does, and what it has mixed so far shrinks
 * where a larger score turns up (Dao et al. 2022). */

/* Of one head: its rows from `first` on, and where they are up to. */
typedef struct {
    const AttentionShape *shape;
    size_t first, rows;
    Running running[BAND];
} Band;

//> tile_weights
/* Scores of keys key .. key + keys become weights, as yet without their quotient; out
 * is what the rows have mixed so far. */
static void tile_weights(float *scores, float *out, Band *b, size_t key, size_t keys) {
    size_t dim = b->shape->head_dim;
    float scale = 1.0f / sqrtf((float)dim);
    for (size_t t = 0; t < b->rows; t++) {
        float *row = scores + t * keys;
        Running *r = &b->running[t];
        size_t visible = attention_visible(b->shape, b->first + t),
               n = visible > key ? size_min(visible - key, keys) : 0;
        double before = r->sum;
        row_scale(row, scale, n);
        if (n > 0) expect(r, row_max(row, n));
        if (before > 0) row_scale(out + t * dim, (float)(r->sum / before), dim);
        for (size_t i = 0; i < n; i++) row[i] = exp_float(row[i] - r->max);
        r->sum += (double)row_sum(row, n);
        memset(row + n, 0, (keys - n) * sizeof *row);
    }
}
//< tile_weights

//> tiles
static void band_by_tiles(float *out, float *scores, const float *q, const float *k,
                          const float *v, Band *b) {
    size_t dim = b->shape->head_dim,
           seen = attention_visible(b->shape, b->first + b->rows - 1);
    for (size_t t = 0; t < b->rows; t++) b->running[t] = (Running){-FLT_MAX, 0};
    memset(out, 0, b->rows * dim * sizeof *out);
    for (size_t key = 0; key < seen; key += TILE_KEYS) {
        size_t keys = size_min(TILE_KEYS, seen - key);
        matmul_a_bt(scores, q, k + key * dim, b->rows, keys, dim, false);
        tile_weights(scores, out, b, key, keys);
        matmul(out, scores, v + key * dim, b->rows, dim, keys, true);
    }
    for (size_t t = 0; t < b->rows; t++)
        row_scale(out + t * dim, (float)(1 / b->running[t].sum), dim);
}
//< tiles

void attention_by_tiles(float *out, float *scores, const float *q, const float *k,
                        const float *v, const AttentionShape *s) {
    size_t head = s->length * s->head_dim;
    for (size_t h = 0; h < s->n_heads; h++) {
        for (size_t first = 0; first < s->length; first += BAND) {
            Band b = {
                .shape = s, .first = first, .rows = size_min(BAND, s->length - first)};
            size_t at = h * head + first * s->head_dim;
            band_by_tiles(out + at, scores, q + at, k + h * head, v + h * head, &b);
        }
    }
}
