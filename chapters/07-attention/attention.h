/* Multi-head attention: one fused projection to q, k and v, heads, and a projection
 * back. As GPT-2 has it, and, with the hooks of chapter 18, as LLaMA. */
#ifndef CHAPTER_07_ATTENTION_H
#define CHAPTER_07_ATTENTION_H

#include "00-tensors/linear.h"
#include "07-attention/hooks.h"
#include "tensor/layer.h"

/* Two ways to compute the same: with the table of weights (causal_attention.h), and
 * with memory linear in the length (online_attention.h). No property of a model: its
 * weights run either way. */
typedef enum { ATTENTION_PLAIN, ATTENTION_ONLINE } AttentionKind;

struct AttentionConfig {
    size_t d_model, n_head;
    size_t n_kv_head; /* heads of k and v, a divisor of n_head; 0: as many */
    bool causal, qkv_bias, proj_bias;
    float dropout; /* on the attention weights, in training */
    AttentionKind kind;
    Rotary rotary;
    const AttentionHooks *hooks; /* for a rotation, or shared keys; else NULL */
};

typedef struct {
    AttentionConfig config;
    Linear c_attn; /* [d_model, qkv]: q | k | v, in GPT-2 3 * d_model wide */
    Linear c_proj; /* [d_model, d_model] */
} Attention;

/* Features of a head; heads of k and v; the width of a row q | k | v. */
size_t attention_head_dim(const AttentionConfig *config);
size_t attention_kv_heads(const AttentionConfig *config);
size_t attention_qkv_width(const AttentionConfig *config);

/* Registers NAME.c_attn and NAME.c_proj. Weights from N(0, std^2), those of c_proj from
 * N(0, std_proj^2). d_model must be a multiple of n_head. `init` NULL: zeros. */
Attention attention_create(Params *params, Random *init, const AttentionConfig *config,
                           float std, float std_proj, const char *name);

/* x [B, T, C] -> [B, T, C] */
Tensor *attention(Tape *t, const Attention *a, Tensor *x);

/* The same; *weights becomes the attention weights [B, n_head, T, T] (before dropout),
 * which live as long as the step. Only the plain kind has them, so it is the one that
 * runs. NULL: not needed. */
Tensor *attention_with_weights(Tape *t, const Attention *a, Tensor *x,
                               Tensor **weights);

/* The same of tokens at these positions [B, T]; NULL: 0, 1, 2 ... in each row. Only a
 * rotation looks at them. mask [B, T]: 0 for padding, which no token reads
 * (masked_attention.h); NULL: all are tokens. */
Tensor *attention_at(Tape *t, const Attention *a, Tensor *x, const int *positions,
                     const int *mask, Tensor **weights);

/* Its parts: q | k | v of x, rotated where the config says so; and from qkv [B, T, q |
 * k | v] to the merged heads [B, T, C]. */
Tensor *attention_qkv(Tape *t, const Attention *a, Tensor *x, const int *positions);
Tensor *attention_core(Tape *t, const AttentionConfig *config, Tensor *qkv,
                       Tensor **weights);

Layer attention_layer(const Attention *a);

#endif
