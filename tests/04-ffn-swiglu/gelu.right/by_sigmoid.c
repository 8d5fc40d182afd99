/* (1 + tanh u) / 2 is sigmoid(2 u), and its slope is 2 s (1 - s). */
#include "04-ffn-swiglu/gelu.h"

#include "math/fmath.h"

static float twice_u(float x) {
    return 2.0f * 0.79788456f * x * (1.0f + 0.044715f * x * x);
}

void gelu_tanh_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] * sigmoid_float(twice_u(x[i]));
}

void gelu_tanh_backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float s = sigmoid_float(twice_u(x[i]));
        float slope = 2.0f * 0.79788456f * (1.0f + 0.134145f * x[i] * x[i]);
        dx[i] += dout[i] * s + dout[i] * x[i] * s * (1.0f - s) * slope;
    }
}

void gelu_erf_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        out[i] = (x[i] + x[i] * erf_float(0.70710678f * x[i])) / 2.0f;
}

void gelu_erf_backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) {
        dx[i] += dout[i] * (1.0f + erf_float(0.70710678f * x[i])) / 2.0f;
        dx[i] += dout[i] * x[i] * 0.39894228f * exp_float(x[i] * x[i] / -2.0f);
    }
}
