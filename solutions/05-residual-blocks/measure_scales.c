/* Measured branch scales. Before you read on: make hint-05 EX=measure_scales */
#include "05-residual-blocks/measure_scales.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "math/fmath.h"

/* The s > 0 with |x + s b|^2 = factor |x|^2, a quadratic equation. */
static double scale_of(const float *x, const float *b, size_t n, double factor) {
    double xx = 0, xb = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        xx += (double)x[i] * (double)x[i];
        xb += (double)x[i] * (double)b[i];
        bb += (double)b[i] * (double)b[i];
    }
    if (bb == 0) return 1;
    return (sqrt(xb * xb + bb * xx * (factor - 1)) - xb) / bb;
}

void measure_scales(float *scales, float *x, size_t n, double growth,
                    const Branches *branches) {
    float *branch = checked_alloc(n, sizeof *branch);
    double factor = exp_double(log_double(growth) / (double)branches->count);
    for (size_t l = 0; l < branches->count; l++) {
        branches->run(branch, x, n, l, branches->self);
        scales[l] = (float)scale_of(x, branch, n, factor);
        for (size_t i = 0; i < n; i++) x[i] += scales[l] * branch[i];
    }
    free(branch);
}
