/* Activations beside ReLU: see activation.h. */
#include "02-pre-ln-vs-post-ln/experiments/activation.h"

#include "00-tensors/relu.h"
#include "math/fmath.h"

/* For an input z from N(0, 2), which the first weight makes: the mean of max(z, 0), and
 * the factor that brings the activation's mean square to that of max(z, 0), which
 * is 1. */
#define RELU_MEAN 0.56419f
static const struct {
    const char *name;
    float factor;
} kinds[ACTIVATIONS] = {[RELU] = {"ReLU", 1},
                        [RELU_MINUS_MEAN] = {"ReLU-mean", 1.21117f},
                        [TANH] = {"tanh", 1.38678f}};

const char *activation_name(Activation activation) {
    return kinds[activation].name;
}

static Tensor *relu_minus_mean(Tape *t, Tensor *x) {
    Tensor *minus = tape_tensor(t, x->ndim, x->shape, false);
    for (size_t i = 0; i < tensor_size(x); i++) minus->data[i] = -RELU_MEAN;
    return tape_add(t, relu(t, x), minus);
}

static void tanh_backward(const TapeNode *node) {
    Tensor *x = node->inputs[0], *out = node->out;
    for (size_t i = 0; i < tensor_size(x); i++)
        x->grad[i] += out->grad[i] * (1 - out->data[i] * out->data[i]);
}

static Tensor *hyperbolic_tangent(Tape *t, Tensor *x) {
    Tensor *out = tape_output(t, "tanh", x->ndim, x->shape, TAPE_INPUTS(x));
    for (size_t i = 0; i < tensor_size(x); i++) out->data[i] = tanh_float(x->data[i]);
    tape_record(t, out, tanh_backward);
    return out;
}

Tensor *hidden_units(Tape *t, const ActivatedMlp *a, Tensor *x) {
    static Tensor *(*const activate[ACTIVATIONS])(Tape *, Tensor *) = {
        [RELU] = relu,
        [RELU_MINUS_MEAN] = relu_minus_mean,
        [TANH] = hyperbolic_tangent};
    return activate[a->activation](t, linear(t, &a->mlp->up, x));
}

static Tensor *activated_mlp(Tape *t, const void *self, Tensor *x) {
    const ActivatedMlp *a = self;
    return linear(t, &a->mlp->down, hidden_units(t, a, x));
}

void set_activation(ActivatedMlp *activated, Stack *s, Activation activation) {
    for (size_t l = 0; l < s->config.depth; l++) {
        Tensor *down = s->mlps[l].down.weight;
        activated[l] = (ActivatedMlp){&s->mlps[l], activation};
        s->residuals[l].sublayer = (Layer){activated_mlp, &activated[l]};
        for (size_t i = 0; i < tensor_size(down); i++)
            down->data[i] *= kinds[activation].factor;
    }
}
