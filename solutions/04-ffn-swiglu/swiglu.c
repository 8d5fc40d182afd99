/* SwiGLU. Before you read on: make hint-04 EX=swiglu */
#include "04-ffn-swiglu/swiglu.h"

#include "fmath.h"

void swiglu_forward(float *out, const float *gate, const float *up, size_t n) {
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out[i] = gate[i] * sigmoid_float(gate[i]) * up[i];
}

static void swiglu_backward_part(float *dgate, float *dup, const float *dout, const float *gate,
                                 const float *up, size_t start, size_t end) {
    /* Two loops without a test inside them: the compiler can make vector code of each. */
    for (size_t i = start; i < (dgate ? end : 0); i++) {
        float s = sigmoid_float(gate[i]);
        dgate[i] += dout[i] * up[i] * s * (1.0f + gate[i] * (1.0f - s));
    }
    for (size_t i = start; i < (dup ? end : 0); i++) dup[i] += dout[i] * gate[i] * sigmoid_float(gate[i]);
}

/* In parts that fit in the cache, so that the second loop finds there what the first has read. */
void swiglu_backward(float *dgate, float *dup, const float *dout, const float *gate, const float *up,
                     size_t n) {
    enum { PART = 1024 };
#pragma omp parallel for if (n > 1 << 14)
    for (size_t start = 0; start < n; start += PART) {
        swiglu_backward_part(dgate, dup, dout, gate, up, start, n - start < PART ? n : start + PART);
    }
}
