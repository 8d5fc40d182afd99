/* ReLU: see relu.h. */
#include "00-tensors/relu.h"

//> kernels
void relu_forward(float *out, const float *x, size_t n) {
    /* written so that NaN stays NaN */
    for (size_t i = 0; i < n; i++) out[i] = x[i] <= 0.0f ? 0.0f : x[i];
}

void relu_backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) dx[i] += x[i] > 0.0f ? dout[i] : 0.0f;
}
//< kernels

//> on_tape
static void backward(const TapeNode *node) {
    Tensor *x = node->inputs[0], *out = node->out;
    relu_backward(x->grad, out->grad, x->data, tensor_size(x));
}

Tensor *relu(Tape *t, Tensor *x) {
    Tensor *out = tape_output(t, "relu", x->ndim, x->shape, TAPE_INPUTS(x));
    relu_forward(out->data, x->data, tensor_size(x));
    tape_record(t, out, backward);
    return out;
}
//< on_tape
