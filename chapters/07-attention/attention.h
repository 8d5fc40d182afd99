/* Multi-head attention as GPT-2 has it: one fused projection to q, k and v, heads, and
 * a projection back. */
#ifndef CHAPTER_07_ATTENTION_H
#define CHAPTER_07_ATTENTION_H

#include "00-tensors/linear.h"
#include "tensor/layer.h"

/* Two ways to compute the same: with the table of weights (causal_attention.h), and
 * with memory linear in the length (online_attention.h). No property of a model: what
 * it has learned runs either way. */
typedef enum { ATTENTION_PLAIN, ATTENTION_ONLINE } AttentionKind;

typedef struct {
    size_t d_model, n_head;
    bool causal, has_bias;
    float dropout; /* on the attention weights, in training */
    AttentionKind kind;
} AttentionConfig;

typedef struct {
    AttentionConfig config;
    Linear c_attn; /* [d_model, 3 * d_model]: q | k | v */
    Linear c_proj; /* [d_model, d_model] */
} Attention;

/* Registers NAME.c_attn and NAME.c_proj. Weights from N(0, std^2), those of c_proj from
 * N(0, std_proj^2). d_model must be a multiple of n_head. `init` NULL: zeros. */
Attention attention_create(Params *params, Random *init, const AttentionConfig *config,
                           float std, float std_proj, const char *name);

/* x [B, T, C] -> [B, T, C] */
Tensor *attention(Tape *t, const Attention *a, Tensor *x);

/* The same; *weights becomes the attention weights [B, n_head, T, T] (before dropout),
 * which live as long as the step. Only the plain kind has them, so it is the one that
 * runs; NULL: nobody looks. */
Tensor *attention_with_weights(Tape *t, const Attention *a, Tensor *x,
                               Tensor **weights);

Layer attention_layer(const Attention *a);

#endif
