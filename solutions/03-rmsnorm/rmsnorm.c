/* RMSNorm. Before you read on: make hint-03 EX=rmsnorm */
#include "03-rmsnorm/rmsnorm.h"

#include <math.h>

#include "reduce.h"

void rmsnorm_forward(float *out, float *rrms, const float *x, const float *gain, size_t rows, size_t dim,
                     float eps) {
#pragma omp parallel for if (rows * dim > 1 << 14)
    for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * dim;
        float mean_square = row_sum_squares(row, 0.0f, dim) / (float)dim;
        float scale = 1.0f / sqrtf(mean_square + eps);
        for (size_t i = 0; i < dim; i++) out[r * dim + i] = row[i] * scale * (gain ? gain[i] : 1.0f);
        rrms[r] = scale;
    }
}

/* dx of one row, with g = dout * gain. */
static void row_backward(float *dx, const float *dout, const float *x, float rrms, const float *gain,
                         size_t dim) {
    float mean = (float)(row_sum_products(dout, gain, x, rrms, dim) / (double)dim); /* of g * xhat */
    for (size_t i = 0; i < dim; i++) {
        float g = dout[i] * (gain ? gain[i] : 1.0f);
        dx[i] += rrms * (g - x[i] * rrms * mean);
    }
}

/* What columns start .. end of some rows add to the gradient of the gain; as many columns as fit in an array
 * on the stack. */
enum { COLUMNS = 128 };

static void columns_backward(float *dgain, const float *dout, const float *x, const float *rrms, size_t rows,
                             size_t dim, size_t start, size_t end) {
    float sum[COLUMNS] = {0};
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = start; i < end; i++) sum[i - start] += dout[r * dim + i] * x[r * dim + i] * rrms[r];
    }
    for (size_t i = start; i < end; i++) dgain[i] += sum[i - start];
}

/* Threads share out the rows for dx, and the columns for dgain, which is a sum over the rows. Both loops take
 * the same block of rows, which then comes from the cache the second time. No thread waits for another
 * (nowait): a static schedule gives it the same columns in every block, and nobody else's. */
void rmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x, const float *rrms,
                      const float *gain, size_t rows, size_t dim) {
    enum { BLOCK = 64 };
#pragma omp parallel if (rows * dim > 1 << 14)
    for (size_t first = 0; first < rows; first += BLOCK) {
        size_t last = rows - first < BLOCK ? rows : first + BLOCK;
#pragma omp for schedule(static) nowait
        for (size_t r = first; r < (dx ? last : first); r++) {
            row_backward(dx + r * dim, dout + r * dim, x + r * dim, rrms[r], gain, dim);
        }
#pragma omp for schedule(static) nowait
        for (size_t start = 0; start < (dgain ? dim : 0); start += COLUMNS) {
            size_t end = dim - start < COLUMNS ? dim : start + COLUMNS;
            columns_backward(dgain, dout + first * dim, x + first * dim, rrms + first, last - first, dim,
                             start, end);
        }
    }
}
