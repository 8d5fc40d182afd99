/* GELU on the tape, around the exercise's kernels: see gelu.h. */
#include "04-ffn-swiglu/gelu_layer.h"

#include "04-ffn-swiglu/elementwise.h"
#include "04-ffn-swiglu/gelu.h"

Tensor *gelu_tanh(Tape *t, Tensor *x) {
    static const Activation kernels = {"gelu_tanh", gelu_tanh_forward,
                                       gelu_tanh_backward};
    return activate(t, &kernels, x);
}

Tensor *gelu_erf(Tape *t, Tensor *x) {
    static const Activation kernels = {"gelu_erf", gelu_erf_forward, gelu_erf_backward};
    return activate(t, &kernels, x);
}
