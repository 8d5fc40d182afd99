/* Gradient checks: see gradcheck.h. */
#include "tensor/gradcheck.h"

#include <math.h>

void numeric_gradient(double *gradient, ScalarFunction *f, double *x, size_t n,
                      double h, void *context) {
    for (size_t i = 0; i < n; i++) {
        double kept = x[i], step = h * fmax(1.0, fabs(kept));
        x[i] = kept + step;
        double above = f(x, n, context), right = x[i];
        x[i] = kept - step;
        double below = f(x, n, context), left = x[i];
        x[i] = kept;
        /* the steps as they were rounded */
        gradient[i] = (above - below) / (right - left);
    }
}

double relative_difference(const float *a, const double *b, size_t n) {
    double worst = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        double difference = fabs((double)a[i] - b[i]);
        if (isnan(difference)) return NAN;
        worst = fmax(worst, difference);
        scale = fmax(scale, fabs(b[i]));
    }
    return scale > 0 ? worst / scale : worst;
}
