/* pRMSNorm. Before you read on: make hint-03 EX=prmsnorm */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

#include "reduce.h"

void prmsnorm_forward(float *out, float *rrms, const float *x, const float *gain, size_t rows, size_t dim,
                      size_t part, float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        float mean_square = row_sum_squares(row, 0.0f, part) / (float)part;
        float scale = 1.0f / sqrtf(mean_square + eps);
        for (size_t i = 0; i < dim; i++) out[r * dim + i] = row[i] * scale * (gain ? gain[i] : 1.0f);
        rrms[r] = scale;
    }
}

/* Columns are done this many at a time: their terms, or their sums over the rows, fit in an array on the
 * stack, and each loop becomes vector code. */
enum { PART = 64 };

/* dx of one row. Every output has the scale in it, so all of them send gradient to it; only the measured
 * elements receive what the scale gets. */
static void row_backward(float *dx, const float *dout, const float *x, float rrms, const float *gain,
                         size_t dim, size_t part) {
    double sum = 0;
    for (size_t start = 0; start < dim; start += PART) {
        size_t end = dim - start < PART ? dim : start + PART;
        float g_xhat[PART];
        for (size_t i = start; i < end; i++) {
            g_xhat[i - start] = dout[i] * (gain ? gain[i] : 1.0f) * x[i] * rrms;
        }
        sum += row_sum_double(g_xhat, end - start);
    }
    float share = (float)(sum / (double)part);
    for (size_t i = 0; i < dim; i++) {
        float g = dout[i] * (gain ? gain[i] : 1.0f);
        dx[i] += rrms * (i < part ? g - x[i] * rrms * share : g);
    }
}

void prmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x, const float *rrms,
                       const float *gain, size_t rows, size_t dim, size_t part) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < (dx ? rows : 0); r++) {
        row_backward(dx + r * dim, dout + r * dim, x + r * dim, rrms[r], gain, dim, part);
    }
    /* A sum over the rows: threads would have to share it, so each takes some of the columns instead. */
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t start = 0; start < (dgain ? dim : 0); start += PART) {
        size_t end = dim - start < PART ? dim : start + PART;
        float sum[PART] = {0};
        for (size_t r = 0; r < rows; r++) {
            for (size_t i = start; i < end; i++)
                sum[i - start] += dout[r * dim + i] * x[r * dim + i] * rrms[r];
        }
        for (size_t i = start; i < end; i++) dgain[i] += sum[i - start];
    }
}
