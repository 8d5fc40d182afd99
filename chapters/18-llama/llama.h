/* LLaMA's family (Llama, SmolLM2, Qwen2) as a configuration of the model that chapter
 * 10 made: RMSNorm, SwiGLU, rotary positions, keys that heads share, biases on q, k and
 * v or on nothing. */
#ifndef CHAPTER_18_LLAMA_H
#define CHAPTER_18_LLAMA_H

#include "10-gpt2/gpt2.h"
#include "18-llama/rotary.h"

/* The two functions that attention and cache call for such a model. */
extern const AttentionHooks llama_hooks;

typedef struct {
    size_t n_vocab, n_ctx, n_layer, n_head, n_kv_head, d_model, d_ff;
    float rope_base, eps;
    bool qkv_bias, own_head;
} LlamaShape;

/* The family's choices for these sizes; d_model / n_head must be even. */
Gpt2Config llama_config(const LlamaShape *shape);

/* Is it a model of this family: pre-LN, RMSNorm, SwiGLU, rotary positions and plain
 * residual connections? Its biases may be any. */
bool llama_is_family(const Gpt2Config *config);

/* qkv with q and k rotated, as an operation on the tape: llama_hooks' first. */
Tensor *rope(Tape *t, const AttentionConfig *config, Tensor *qkv, const int *positions);

#endif
