/* GELU, exact and by tanh. Before you read on: make hint-04 EX=gelu */
#include "04-ffn-swiglu/gelu.h"

#include "math/fmath.h"

static const float SQRT_2_OVER_PI = 0.79788456f, CUBIC = 0.044715f;
static const float SQRT_HALF = 0.70710678f, ONE_OVER_SQRT_2_PI = 0.39894228f;

void gelu_tanh_forward(float *out, const float *x, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        //> tanh
        float u = SQRT_2_OVER_PI * (x[i] + CUBIC * x[i] * x[i] * x[i]);
        out[i] = 0.5f * x[i] * (1.0f + tanh_float(u));
        //< tanh
    }
}

void gelu_tanh_backward(float *dx, const float *dout, const float *x, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        float square = x[i] * x[i];
        float th = tanh_float(SQRT_2_OVER_PI * (x[i] + CUBIC * square * x[i]));
        float inner = SQRT_2_OVER_PI * (1.0f + 3.0f * CUBIC * square);
        dx[i] +=
            dout[i] * (0.5f * (1.0f + th) + 0.5f * x[i] * (1.0f - th * th) * inner);
    }
}

void gelu_erf_forward(float *out, const float *x, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++)
        out[i] = 0.5f * x[i] * (1.0f + erf_float(x[i] * SQRT_HALF));
}

void gelu_erf_backward(float *dx, const float *dout, const float *x, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        float cdf = 0.5f * (1.0f + erf_float(x[i] * SQRT_HALF));
        float density = ONE_OVER_SQRT_2_PI * exp_float(-0.5f * x[i] * x[i]);
        dx[i] += dout[i] * (cdf + x[i] * density);
    }
}
