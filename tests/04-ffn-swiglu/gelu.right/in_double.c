/* The formulas in double, with the C library's functions. */
#include "04-ffn-swiglu/gelu.h"

#include <math.h>

static double tanh_of_x(double x) {
    return tanh(sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * pow(x, 3)));
}

static double normal_cdf(double x) {
    return 0.5 * erfc(-x / sqrt(2));
}

void gelu_tanh_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(0.5 * (double)x[i] * (1 + tanh_of_x((double)x[i])));
}

void gelu_tanh_backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double v = (double)x[i], th = tanh_of_x(v);
        double inner = sqrt(2 / 3.14159265358979323846) * (1 + 3 * 0.044715 * v * v);
        dx[i] +=
            (float)((double)dout[i] * 0.5 * (1 + th + v * (1 - th) * (1 + th) * inner));
    }
}

void gelu_erf_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (float)((double)x[i] * normal_cdf((double)x[i]));
}

void gelu_erf_backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        double v = (double)x[i],
               density = exp(-v * v / 2) / sqrt(2 * 3.14159265358979323846);
        dx[i] += (float)((double)dout[i] * (normal_cdf(v) + v * density));
    }
}
