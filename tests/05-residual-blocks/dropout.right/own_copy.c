/* A copy of the generator gives the numbers in order; a mask of factors, 0 or 1 / (1 -
 * p). */
#include "05-residual-blocks/dropout.h"

#include <stdlib.h>

#include "base/memory.h"

static float *factors(size_t n, float p, Random random) {
    float *f = checked_alloc(n, sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = random_float(&random) < p ? 0.0f : 1.0f / (1.0f - p);
    return f;
}

void dropout_forward(float *out, const float *x, size_t n, float p,
                     const Random *random) {
    float *f = factors(n, p, *random);
    for (size_t i = 0; i < n; i++) out[i] = f[i] > 0.0f ? f[i] * x[i] : 0.0f;
    free(f);
}

void dropout_backward(float *dx, const float *dout, size_t n, float p,
                      const Random *random) {
    float *f = factors(n, p, *random);
    for (size_t i = 0; i < n; i++) dx[i] += f[i] > 0.0f ? f[i] * dout[i] : 0.0f;
    free(f);
}
