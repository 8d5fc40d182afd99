/* Activations and gates on the tape: see elementwise.h. */
#include "04-ffn-swiglu/elementwise.h"

static void activation_node(const TapeNode *node) {
    const Activation *const *activation = node->saved;
    Tensor *x = node->inputs[0];
    (*activation)->backward(x->grad, node->out->grad, x->data, tensor_size(x));
}

Tensor *activate(Tape *t, const Activation *activation, Tensor *x) {
    Tensor *out = tape_output(t, activation->name, x->ndim, x->shape, TAPE_INPUTS(x));
    activation->forward(out->data, x->data, tensor_size(x));
    tape_record_saved(t, out, activation_node, &activation, sizeof activation);
    return out;
}

static void gate_node(const TapeNode *node) {
    const Gate *const *kind = node->saved;
    Tensor *gate = node->inputs[0], *up = node->inputs[1];
    (*kind)->backward(gate->grad, up->grad, node->out->grad, gate->data, up->data,
                      tensor_size(up));
}

Tensor *apply_gate(Tape *t, const Gate *kind, Tensor *gate, Tensor *up) {
    tensor_expect_same_shape(kind->name, gate, up);
    Tensor *out =
        tape_output(t, kind->name, up->ndim, up->shape, TAPE_INPUTS(gate, up));
    kind->forward(out->data, gate->data, up->data, tensor_size(up));
    tape_record_saved(t, out, gate_node, &kind, sizeof kind);
    return out;
}
