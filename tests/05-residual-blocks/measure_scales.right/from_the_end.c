/* The stable form of the root, and the mean square that is wanted from the start on. */
#include "05-residual-blocks/measure_scales.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static double dot(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t i = n; i-- > 0;) sum += (double)a[i] * (double)b[i];
    return sum;
}

void measure_scales(float *scales, float *x, size_t n, double growth,
                    const Branches *branches) {
    float *out = checked_alloc(n, sizeof *out);
    for (size_t l = 0; l < branches->count; l++) {
        branches->run(out, x, n, l, branches->self);
        double a = dot(out, out, n), b = 2 * dot(x, out, n),
               c = dot(x, x, n) * (1 - pow(growth, 1.0 / (double)branches->count));
        double q = -(b + copysign(sqrt(b * b - 4 * a * c), b)) / 2;
        double s = a > 0 ? fmax(q / a, c / q) : 1;
        scales[l] = (float)s;
        for (size_t i = 0; i < n; i++)
            x[i] = (float)((double)x[i] + s * (double)out[i]);
    }
    free(out);
}
