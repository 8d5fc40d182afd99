/* The feed-forward network: see ffn.h. */
#include "04-ffn-swiglu/ffn.h"

#include <stdio.h>

#include "00-tensors/relu.h"
#include "04-ffn-swiglu/gelu_layer.h"
#include "04-ffn-swiglu/glu.h"
#include "04-ffn-swiglu/silu.h"
#include "04-ffn-swiglu/swiglu_layer.h"
#include "base/memory.h"

/* relu(x)^2 (So et al. 2021). */
static Tensor *relu_squared(Tape *t, Tensor *x) {
    Tensor *rectified = relu(t, x);
    return tape_mul(t, rectified, rectified);
}

/* One line a kind: either an activation of the hidden layer, or a gate that joins two
 * of them. */
static const struct {
    const char *name;
    Tensor *(*activation)(Tape *t, Tensor *up);
    Tensor *(*gate)(Tape *t, Tensor *gate, Tensor *up);
} kinds[FFN_KINDS] = {
    [FFN_RELU] = {"relu", relu, NULL},
    [FFN_GELU_TANH] = {"gelu_new", gelu_tanh, NULL},
    [FFN_GELU_ERF] = {"gelu", gelu_erf, NULL},
    [FFN_SILU] = {"silu", silu, NULL},
    [FFN_RELU_SQUARED] = {"relu2", relu_squared, NULL},
    [FFN_GLU] = {"glu", NULL, glu},
    [FFN_BILINEAR] = {"bilinear", NULL, bilinear},
    [FFN_REGLU] = {"reglu", NULL, reglu},
    [FFN_GEGLU] = {"geglu", NULL, geglu},
    [FFN_SWIGLU] = {"swiglu", NULL, swiglu},
};

bool ffn_is_gated(FfnKind kind) {
    return kinds[kind].gate != NULL;
}

const char *ffn_name(FfnKind kind) {
    return kind < FFN_KINDS ? kinds[kind].name : "unknown";
}

size_t ffn_gated_width(size_t d_ff) {
    return size_mul(d_ff, 2) / 3;
}

Ffn ffn_create(Params *params, Random *init, const FfnConfig *c, const char *name) {
    Ffn f = {.kind = c->kind};
    size_t in = c->d_model, wide = c->d_ff;
    params_push(params, "%s", name);
    f.up = linear_create(params, init, in, wide, c->has_bias, c->std, "c_fc");
    if (ffn_is_gated(c->kind))
        f.gate = linear_create(params, init, in, wide, c->has_bias, c->std, "c_gate");
    f.down = linear_create(params, init, wide, in, c->has_bias, c->std_down, "c_proj");
    params_pop(params);
    return f;
}

//> ffn
Tensor *ffn(Tape *t, const Ffn *f, Tensor *x) {
    tensor_expect_cols("ffn", "x", x, f->up.weight->shape[0]);
    Tensor *up = linear(t, &f->up, x); /* [..., d_ff] */
    Tensor *hidden = ffn_is_gated(f->kind)
                         ? kinds[f->kind].gate(t, linear(t, &f->gate, x), up)
                         : kinds[f->kind].activation(t, up);
    return linear(t, &f->down, hidden); /* [..., d_model] */
}
//< ffn

static Tensor *layer_ffn(Tape *t, const void *self, Tensor *x) {
    return ffn(t, self, x);
}

Layer ffn_layer(const Ffn *f) {
    return (Layer){layer_ffn, f};
}
