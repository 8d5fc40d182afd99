/* RMSNorm. Before you read on: make hint-03 EX=rmsnorm */
#include "03-rmsnorm/rmsnorm.h"

#include <math.h>
#include <string.h>

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

/* Threads share out parts of the rows. How long a part is does not depend on the number of threads, and so
 * the gradient of the gain does not either: each part has its own sums, which are added in order. A row is
 * still in the cache when its columns are added to them. */
void rmsnorm_backward(float *dx, float *dgain, const float *dout, const float *x, const float *rrms,
                      const float *gain, size_t rows, size_t dim) {
    enum { PARTS = 16, FEWEST = 64, COLUMNS = 2048 }; /* so many columns at a time have room on the stack */
    size_t part = FEWEST;
    while (part * PARTS < rows) part += FEWEST;
    for (size_t start = 0; start < dim; start += COLUMNS) {
        size_t columns = dim - start < COLUMNS ? dim - start : COLUMNS;
        float sum[PARTS][COLUMNS];
#pragma omp parallel for if (rows * dim > 1 << 14)
        for (size_t first = 0; first < rows; first += part) {
            size_t last = rows - first < part ? rows : first + part, p = first / part;
            memset(sum[p], 0, columns * sizeof(float));
            for (size_t r = first; r < last; r++) {
                const float *g = dout + r * dim, *row = x + r * dim;
                if (dx && start == 0) row_backward(dx + r * dim, g, row, rrms[r], gain, dim);
                for (size_t i = 0; i < (dgain ? columns : 0); i++) {
                    sum[p][i] += g[start + i] * row[start + i] * rrms[r];
                }
            }
        }
        for (size_t p = 0; p * part < rows; p++) {
            for (size_t i = 0; i < (dgain ? columns : 0); i++) dgain[start + i] += sum[p][i];
        }
    }
}
