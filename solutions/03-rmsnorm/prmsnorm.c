/* pRMSNorm. Before you read on: make hint-03 EX=prmsnorm */
#include "03-rmsnorm/prmsnorm.h"

#include <math.h>

#include "03-rmsnorm/rmsnorm.h"
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

/* dx of one row, with g = dout * gain. Every output has the scale in it, so all of them send gradient to it;
 * only the measured elements receive what the scale gets. */
static void row_backward(float *dx, const float *dout, const float *x, float rrms, const float *gain,
                         size_t dim, size_t part) {
    float share = (float)(row_sum_products(dout, gain, x, rrms, dim) / (double)part);
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
    /* The gain's gradient is RMSNorm's: it takes rrms as it is, wherever it was measured. */
    rmsnorm_backward(NULL, dgain, dout, x, rrms, gain, rows, dim);
}
