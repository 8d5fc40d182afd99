/* LLaMA as a configuration: see llama.h. */
#include "18-llama/llama.h"

#include "18-llama/gqa_step.h"
#include "18-llama/rope.h"
#include "base/error.h"

const AttentionHooks llama_hooks = {.rotate = rope, .step = gqa_step};

void rotary_set(BlockConfig *block, float base) {
    size_t head_dim = block->d_model / block->n_head;
    if (head_dim % 2 != 0 || head_dim / 2 > ROTARY_MOST_PAIRS)
        die("rotary positions: a head has %zu features, expected an even number up to "
            "%d",
            head_dim, 2 * ROTARY_MOST_PAIRS);
    block->rotary = (Rotary){.n_pairs = head_dim / 2, .base = base};
    rope_frequencies(block->rotary.frequencies, block->d_model, block->n_head, base);
    block->hooks = &llama_hooks;
}

//> rotary_scale
void rotary_scale(Rotary *r, float factor, float low, float high,
                  size_t original_context) {
    const double pi = 3.14159265358979323846;
    r->factor = factor;
    r->low = low;
    r->high = high;
    r->original_context = original_context;
    for (size_t i = 0; i < r->n_pairs; i++) {
        double f = (double)r->frequencies[i];
        double turns = (double)original_context * f / (2 * pi); /* in that context */
        double keep = (turns - (double)low) / ((double)high - (double)low);
        keep = keep < 0 ? 0 : keep > 1 ? 1 : keep;
        r->frequencies[i] = (float)((1 - keep) * f / (double)factor + keep * f);
    }
}
//< rotary_scale

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
