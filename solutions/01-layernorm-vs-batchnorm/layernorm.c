/* Layer normalization. Before you read on: make hint-01 EX=layernorm */
#include "01-layernorm-vs-batchnorm/layernorm.h"

#include <math.h>

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

/* What columns start .. end of some rows add to the gradients of gain and bias; as many columns as fit in
 * arrays on the stack. */
enum { COLUMNS = 128 };

static void columns_backward(float *dgain, float *dbias, const float *dout, const float *x, const float *mean,
                             const float *rstd, size_t rows, size_t dim, size_t start, size_t end) {
    float sum[COLUMNS] = {0}, sum_xhat[COLUMNS] = {0};
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = start; i < end; i++) {
            float g = dout[r * dim + i];
            sum[i - start] += g;
            sum_xhat[i - start] += g * (x[r * dim + i] - mean[r]) * rstd[r];
        }
    }
    for (size_t i = start; i < end; i++) {
        if (dbias) dbias[i] += sum[i - start];
        if (dgain) dgain[i] += sum_xhat[i - start];
    }
}

/* Threads share out the rows for dx. The other two are sums over the rows: there they share out the columns.
 * Both loops take the same block of rows, which then comes from the cache the second time. No thread waits
 * for another (nowait): a static schedule gives it the same columns in every block, and nobody else's. */
void layernorm_backward(float *dx, float *dgain, float *dbias, const float *dout, const float *x,
                        const float *mean, const float *rstd, const float *gain, size_t rows, size_t dim) {
    enum { BLOCK = 64 };
#pragma omp parallel if (rows * dim > 1 << 14)
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t last = rows - first < BLOCK ? rows : first + BLOCK;
#pragma omp for schedule(static) nowait
        for (size_t r = first; r < (dx ? last : first); r++) {
            row_backward(dx + r * dim, dout + r * dim, x + r * dim, mean[r], rstd[r], gain, dim);
        }
#pragma omp for schedule(static) nowait
        for (size_t start = 0; start < (dgain || dbias ? dim : 0); start += COLUMNS) {
            size_t end = dim - start < COLUMNS ? dim : start + COLUMNS;
            columns_backward(dgain, dbias, dout + first * dim, x + first * dim, mean + first, rstd + first,
                             last - first, dim, start, end);
        }
    }
}
