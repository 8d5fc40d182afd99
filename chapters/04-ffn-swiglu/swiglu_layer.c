/* SwiGLU on the tape, around the exercise's kernels: see swiglu.h. */
#include "04-ffn-swiglu/swiglu_layer.h"

#include "04-ffn-swiglu/elementwise.h"
#include "04-ffn-swiglu/swiglu.h"

Tensor *swiglu(Tape *t, Tensor *gate, Tensor *up) {
    static const Gate kernels = {"swiglu", swiglu_forward, swiglu_backward};
    return apply_gate(t, &kernels, gate, up);
}
