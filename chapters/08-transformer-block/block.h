/* The transformer block: two residual connections, one around attention, one around the
 * FFN. One block, configured. */
#ifndef CHAPTER_08_BLOCK_H
#define CHAPTER_08_BLOCK_H

#include "02-pre-ln-vs-post-ln/residual.h"
#include "03-rmsnorm/norm.h"
#include "04-ffn-swiglu/ffn.h"
#include "05-residual-blocks/join.h"
#include "07-attention/attention.h"
#include "files/config_text.h"

typedef struct {
    size_t d_model, n_head, d_ff;
    size_t n_kv_head; /* heads of k and v; 0: as many as n_head */
    NormKind norm;
    Placement placement;
    FfnKind ffn;
    ResidualKind residual;
    float norm_eps;
    /* on the attention weights; on the output of each sublayer */
    float attn_dropout, resid_dropout;
    bool causal;
    bool qkv_bias, proj_bias, ffn_bias; /* on q, k, v; on attention's output; on the
                                           matrices of the FFN */
    Rotary rotary;                      /* positions that turn q and k (chapter 18) */
    const AttentionHooks *hooks;        /* for rotary and n_kv_head, else NULL */
    AttentionKind attention;            /* how it is computed; in no file of a model */
} BlockConfig;

typedef struct {
    BlockConfig config;
    Norm ln_1, ln_2;
    Attention attn;
    Ffn mlp;
    ResidualJoin join_1, join_2;
} Block;

/* GPT-2's block: pre-LN, LayerNorm, gelu_new, plain residual, biases, causal, dropout
 * 0, eps 1e-5, d_ff = 4 d_model. */
BlockConfig block_config_gpt2(size_t d_model, size_t n_head);

/* All three kinds of biases, or none. */
void block_set_biases(BlockConfig *config, bool biases);

/* The whole configuration in words, appended to `text` (config_text.h); an enumerator
 * by its name, which stays when others are added. */
void block_config_text(char text[CONFIG_TEXT_BYTES], const BlockConfig *config);

/* Registers NAME.ln_1, NAME.attn, NAME.ln_2, NAME.mlp. std_residual is for the two
 * output projections (residual_init_std). The block holds pointers into nothing but its
 * own tensors, so it may be moved. */
Block block_create(Params *params, Random *init, const BlockConfig *config, float std,
                   float std_residual, const char *name);

//> signature
/* Exercise 08/block_forward: x [B, T, C] -> [B, T, C]. `attention` is the sublayer of
 * the first residual connection: normally attention_layer(&b->attn); chapter 13 puts a
 * cached one here. In training mode both sublayers' outputs are dropped with
 * resid_dropout (dropout_after of chapter 05). Several threads may call it at once. */
Tensor *block_forward(Tape *t, const Block *b, Layer attention, Tensor *x);
//< signature

void block_free(Block *b);

#endif
