/* SwiGLU. Before you read on: make hint-04 EX=swiglu */
#include "04-ffn-swiglu/swiglu.h"

#include "math/fmath.h"

void swiglu_forward(float *out, const float *gate, const float *up, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out[i] = gate[i] * sigmoid_float(gate[i]) * up[i];
}

void swiglu_backward(float *dgate, float *dup, const float *dout, const float *gate,
                     const float *up, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        float s = sigmoid_float(gate[i]);
        if (dgate) dgate[i] += dout[i] * up[i] * s * (1.0f + gate[i] * (1.0f - s));
        if (dup) dup[i] += dout[i] * gate[i] * s;
    }
}
