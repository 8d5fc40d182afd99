/* silu has a name, and its slope is written with it: s + silu (1 - s). */
#include "04-ffn-swiglu/swiglu.h"

#include "math/fmath.h"

static float silu_of(float x) {
    return x * sigmoid_float(x);
}

static float silu_slope(float x) {
    float s = sigmoid_float(x);
    return s + silu_of(x) * (1.0f - s);
}

void swiglu_forward(float *out, const float *gate, const float *up, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = silu_of(gate[i]) * up[i];
}

void swiglu_backward(float *dgate, float *dup, const float *dout, const float *gate,
                     const float *up, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (dgate != NULL) dgate[i] += up[i] * silu_slope(gate[i]) * dout[i];
        if (dup != NULL) dup[i] += silu_of(gate[i]) * dout[i];
    }
}
