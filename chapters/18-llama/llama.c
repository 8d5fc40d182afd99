/* LLaMA as a configuration: see llama.h. */
#include "18-llama/llama.h"

#include "18-llama/gqa_step.h"

const AttentionHooks llama_hooks = {.rotate = rope, .step = gqa_step};

//> llama_config
Gpt2Config llama_config(const LlamaShape *s) {
    Gpt2Config c = gpt2_config(s->n_vocab, s->n_ctx, s->n_layer, s->n_head, s->d_model);
    c.positions = POSITIONS_NONE;
    c.own_head = s->own_head;
    c.block.n_kv_head = s->n_kv_head;
    c.block.d_ff = s->d_ff;
    c.block.norm = NORM_RMS;
    c.block.norm_eps = s->eps;
    c.block.ffn = FFN_SWIGLU;
    block_set_biases(&c.block, false);
    c.block.qkv_bias = s->qkv_bias;
    rotary_set(&c.block, s->rope_base);
    return c;
}
//< llama_config

bool llama_is_family(const Gpt2Config *config) {
    const BlockConfig *b = &config->block;
    return b->norm == NORM_RMS && b->placement == PRE_LN && b->ffn == FFN_SWIGLU &&
           b->residual == RESIDUAL_PLAIN && b->causal && b->rotary.n_pairs &&
           config->positions == POSITIONS_NONE;
}
