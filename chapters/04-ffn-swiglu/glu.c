/* Gates: see glu.h. */
#include "04-ffn-swiglu/glu.h"

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/elementwise.h"
#include "04-ffn-swiglu/gelu_layer.h"
#include "math/fmath.h"

static void glu_forward(float *out, const float *gate, const float *up, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out[i] = sigmoid_float(gate[i]) * up[i];
}

/* dgate += dout * up * s (1 - s), dup += dout * s with s = sigmoid(gate); either may be
 * NULL. */
static void glu_backward(float *dgate, float *dup, const float *dout, const float *gate,
                         const float *up, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        float s = sigmoid_float(gate[i]);
        if (dgate) dgate[i] += dout[i] * up[i] * s * (1.0f - s);
        if (dup) dup[i] += dout[i] * s;
    }
}

Tensor *glu(Tape *t, Tensor *gate, Tensor *up) {
    static const Gate kernels = {"glu", glu_forward, glu_backward};
    return apply_gate(t, &kernels, gate, up);
}

Tensor *bilinear(Tape *t, Tensor *gate, Tensor *up) {
    return tape_mul(t, gate, up);
}

Tensor *reglu(Tape *t, Tensor *gate, Tensor *up) {
    return tape_mul(t, relu(t, gate), up);
}

Tensor *geglu(Tape *t, Tensor *gate, Tensor *up) {
    return tape_mul(t, gelu_erf(t, gate), up);
}
