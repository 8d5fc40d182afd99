/* Layer normalization. Before you read on: make hint-01 EX=layernorm */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>
#include <string.h>

#include "reduce.h"

void layernorm_forward(float *out, float *mean, float *rstd, const float *x, const float *gain,
                       const float *bias, size_t rows, size_t dim, float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        /* In double, so that the mean of 768 equal floats is that float. `rest` is what the mean loses when
         * it is rounded to a float: at an offset of 10^6 up to 0.03, as much as an element may differ from
         * it. */
        double exact = row_sum_double(row, dim) / (double)dim;
        float mu = (float)exact, rest = (float)(exact - (double)mu);
        float variance = row_sum_squares(row, mu, dim) / (float)dim - rest * rest;
        float scale = 1.0f / sqrtf(variance + eps);
        for (size_t i = 0; i < dim; i++) {
            float xhat = (row[i] - mu - rest) * scale;
            out[r * dim + i] = xhat * (gain ? gain[i] : 1.0f) + (bias ? bias[i] : 0.0f);
        }
        mean[r] = mu;
        rstd[r] = scale;
    }
}

/* Terms of a row are made on the stack, this many at a time, and then added: each loop becomes vector code.
 */
enum { PART = 256 };

/* dx of one row. */
static void row_backward(float *dx, const float *dout, const float *x, float mean, float rstd,
                         const float *gain, size_t dim) {
    double sum = 0, sum_xhat = 0;
    for (size_t start = 0; start < dim; start += PART) {
        size_t end = dim - start < PART ? dim : start + PART;
        float g[PART], g_xhat[PART];
        for (size_t i = start; i < end; i++) {
            g[i - start] = gain ? dout[i] * gain[i] : dout[i];
            g_xhat[i - start] = g[i - start] * (x[i] - mean) * rstd;
        }
        sum += (double)row_sum(g, end - start);
        sum_xhat += (double)row_sum(g_xhat, end - start);
    }
    float mean_g = (float)(sum / (double)dim), mean_g_xhat = (float)(sum_xhat / (double)dim);
    for (size_t i = 0; i < dim; i++) {
        float g = gain ? dout[i] * gain[i] : dout[i];
        dx[i] += rstd * (g - mean_g - (x[i] - mean) * rstd * mean_g_xhat);
    }
}

/* What a row adds to the gradients of gain and bias. */
static void add_row(float *sum, float *sum_xhat, const float *dout, const float *x, float mean, float rstd,
                    size_t columns) {
    for (size_t i = 0; i < columns; i++) {
        sum[i] += dout[i];
        sum_xhat[i] += dout[i] * (x[i] - mean) * rstd;
    }
}

/* Threads share out parts of the rows. How long a part is does not depend on the number of threads, and so
 * the gradients of gain and bias do not either: each part has its own sums, which are added in order. A row
 * is still in the cache when its columns are added to them. */
void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout, const float *x,
                        const float *mean, const float *rstd, const float *gain, size_t rows, size_t dim) {
    enum { PARTS = 16, FEWEST = 64, COLUMNS = 2048 }; /* so many columns at a time have room on the stack */
    size_t part = FEWEST;
    while (part * PARTS < rows) part += FEWEST;
    for (size_t start = 0; start < dim; start += COLUMNS) {
        size_t columns = dim - start < COLUMNS ? dim - start : COLUMNS;
        float sum[PARTS][COLUMNS], sum_xhat[PARTS][COLUMNS];
#pragma omp parallel for if (rows * dim > 1 << 14)
        for (size_t first = 0; first < rows; first += part) {
            size_t last = rows - first < part ? rows : first + part, p = first / part;
            memset(sum[p], 0, columns * sizeof(float));
            memset(sum_xhat[p], 0, columns * sizeof(float));
            for (size_t r = first; r < last; r++) {
                const float *g = dout + r * dim, *row = x + r * dim;
                if (dx && start == 0) row_backward(dx + r * dim, g, row, mean[r], rstd[r], gain, dim);
                if (dgain || dbias)
                    add_row(sum[p], sum_xhat[p], g + start, row + start, mean[r], rstd[r], columns);
            }
        }
        for (size_t p = 0; p * part < rows; p++) {
            for (size_t i = 0; i < columns; i++) {
                if (dbias) dbias[start + i] += sum[p][i];
                if (dgain) dgain[start + i] += sum_xhat[p][i];
            }
        }
    }
}
