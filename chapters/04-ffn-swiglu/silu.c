/* SiLU: see silu.h. */
#include "04-ffn-swiglu/silu.h"

#include "04-ffn-swiglu/elementwise.h"
#include "math/fmath.h"

//> silu
void silu_forward(float *out, const float *x, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out[i] = x[i] * sigmoid_float(x[i]);
}

void silu_backward(float *dx, const float *dout, const float *x, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        float s = sigmoid_float(x[i]);
        /* the product rule; s' = s (1 - s) */
        dx[i] += dout[i] * s * (1.0f + x[i] * (1.0f - s));
    }
}
//< silu

Tensor *silu(Tape *t, Tensor *x) {
    static const Activation kernels = {"silu", silu_forward, silu_backward};
    return activate(t, &kernels, x);
}
