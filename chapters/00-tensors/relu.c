/* ReLU: see relu.h. */
#include "00-tensors/relu.h"

//> relu
void relu_forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = x[i] <= 0.0f ? 0.0f : x[i]; /* written so that NaN stays NaN */
}

void relu_backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) dx[i] += x[i] > 0.0f ? dout[i] : 0.0f;
}

typedef struct {
    Tensor *out, *x;
} Saved;

static void backward(void *saved) {
    Saved *s = saved;
    relu_backward(s->x->grad, s->out->grad, s->x->data, tensor_size(s->x));
}

Tensor *relu(Tape *t, Tensor *x) {
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x));
    relu_forward(out->data, x->data, tensor_size(x));
    if (out->grad) tape_record(t, backward, &(Saved){out, x}, sizeof(Saved));
    return out;
}
//< relu
