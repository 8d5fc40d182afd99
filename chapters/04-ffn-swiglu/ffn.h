/* The position-wise feed-forward network: one FFN, ten activations.
 *
 *     plain:  out = act(x W_up + b_up) W_down + b_down
 *     gated:  out = (act(x W_gate + b_gate) * (x W_up + b_up)) W_down + b_down */
#ifndef CHAPTER_04_FFN_H
#define CHAPTER_04_FFN_H

#include "00-tensors/linear.h"
#include "tensor/layer.h"

typedef enum {
    FFN_RELU,
    FFN_GELU_TANH,
    FFN_GELU_ERF,
    FFN_SILU,
    FFN_RELU_SQUARED, /* plain */
    FFN_GLU,
    FFN_BILINEAR,
    FFN_REGLU,
    FFN_GEGLU,
    FFN_SWIGLU, /* gated (Shazeer 2020) */
    FFN_KINDS
} FfnKind;

typedef struct {
    FfnKind kind;
    Linear up, gate, down; /* gate only where ffn_is_gated(kind) */
} Ffn;

bool ffn_is_gated(FfnKind kind);

/* "relu", "gelu_new" (tanh), "gelu" (erf), "silu", "relu2", "glu", "bilinear", "reglu",
 * "geglu", "swiglu": Hugging Face's names where there are. */
const char *ffn_name(FfnKind kind);

/* d_ff * 2/3: a gated FFN of this width has as many weights as a plain one of width
 * d_ff (Shazeer 2020). d_ff must be a multiple of 3 for this to be exact; otherwise the
 * result is rounded down. */
size_t ffn_gated_width(size_t d_ff);

typedef struct {
    FfnKind kind;
    size_t d_model, d_ff;
    bool has_bias;
    float std, std_down; /* of the first weights, and of those of c_proj */
} FfnConfig;

/* Registers NAME.c_fc (up), NAME.c_gate (gated kinds) and NAME.c_proj (down), each
 * .weight and, with has_bias, .bias. Weights from N(0, std^2), those of c_proj from
 * N(0, std_down^2). `init` NULL: zeros, to be loaded. */
Ffn ffn_create(Params *params, Random *init, const FfnConfig *c, const char *name);

/* x [..., d_model] -> [..., d_model] */
Tensor *ffn(Tape *t, const Ffn *f, Tensor *x);

Layer ffn_layer(const Ffn *f);

#endif
