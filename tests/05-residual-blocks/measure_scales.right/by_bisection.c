/* No formula: the mean square of x + s F(x) rises behind its smallest value, and the
 * scale is found by halving. */
#include "05-residual-blocks/measure_scales.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static double halve(double xx, double xb, double bb, double more) {
    double low = xb < 0 ? -2 * xb / bb : 0, high = 1;
    while (high <= low || 2 * high * xb + high * high * bb < xx * more) high *= 2;
    for (size_t i = 0; i < 200; i++) {
        double s = (low + high) / 2;
        if (2 * s * xb + s * s * bb < xx * more)
            low = s;
        else
            high = s;
    }
    return high;
}

void measure_scales(float *scales, float *x, size_t n, double growth,
                    const Branches *branches) {
    float *out = malloc(n * sizeof *out);
    double more = expm1(log(growth) / (double)branches->count);
    for (size_t l = 0; l < branches->count; l++) {
        double xx = 0, xb = 0, bb = 0;
        branches->run(out, x, n, l, branches->self);
        for (size_t i = 0; i < n; i++) {
            double here = (double)x[i], there = (double)out[i];
            xx += here * here, xb += here * there, bb += there * there;
        }
        scales[l] = bb > 0 ? (float)halve(xx, xb, bb, more) : 1.0f;
        for (size_t i = 0; i < n; i++) x[i] += scales[l] * out[i];
    }
    free(out);
}
