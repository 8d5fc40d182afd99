/* Activations and gates on the tape: see elementwise.h. */
#include "04-ffn-swiglu/elementwise.h"

typedef struct {
    Tensor *out, *x;
    const Activation *activation;
} ActivationSaved;

static void activation_node(void *saved) {
    ActivationSaved *s = saved;
    s->activation->backward(s->x->grad, s->out->grad, s->x->data, tensor_size(s->x));
}

Tensor *activate(Tape *t, const Activation *activation, Tensor *x) {
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x));
    activation->forward(out->data, x->data, tensor_size(x));
    if (out->grad)
        tape_record(t, activation_node, &(ActivationSaved){out, x, activation}, sizeof(ActivationSaved));
    return out;
}

typedef struct {
    Tensor *out, *gate, *up;
    const Gate *kind;
} GateSaved;

static void gate_node(void *saved) {
    GateSaved *s = saved;
    s->kind->backward(s->gate->grad, s->up->grad, s->out->grad, s->gate->data, s->up->data,
                      tensor_size(s->out));
}

Tensor *apply_gate(Tape *t, const Gate *kind, Tensor *gate, Tensor *up) {
    tensor_expect_same_shape(kind->name, gate, up);
    Tensor *out = tape_output(t, up->ndim, up->shape, TAPE_WANTS_GRAD(t, gate, up));
    kind->forward(out->data, gate->data, up->data, tensor_size(up));
    if (out->grad) tape_record(t, gate_node, &(GateSaved){out, gate, up, kind}, sizeof(GateSaved));
    return out;
}
