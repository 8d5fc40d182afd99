/* LLaMA's family in a training: see llama_train.h. */
#include "18-llama/llama_train.h"

#include "18-llama/llama.h"
#include "18-llama/llama_gguf.h"
#include "18-llama/llama_load.h"
#include "18-llama/llama_save.h"
#include "18-llama/llama_tokenizer.h"
#include "base/error.h"

LlamaTraining llama_training = {.rope_base = 10000};

static Gpt2Config config_of(const Gpt2Config *gpt2) {
    const BlockConfig *b = &gpt2->block;
    const LlamaTraining *l = &llama_training;
    size_t n_kv_head = l->n_kv_head ? l->n_kv_head : b->n_head;
    if (b->placement != PRE_LN) die_usage("--placement post: this family's is pre");
    if (b->n_head % n_kv_head != 0)
        die_usage("--heads %zu is not a multiple of --kv-heads %zu", b->n_head,
                  n_kv_head);
    Gpt2Config c = llama_config(
        &(LlamaShape){.n_vocab = gpt2->n_vocab,
                      .n_ctx = gpt2->n_ctx,
                      .n_layer = gpt2->n_layer,
                      .n_head = b->n_head,
                      .n_kv_head = n_kv_head,
                      .d_model = b->d_model,
                      .d_ff = l->d_ff ? l->d_ff : (8 * b->d_model / 3 + 7) / 8 * 8,
                      .rope_base = (float)l->rope_base,
                      .eps = 1e-5f});
    c.embd_dropout = gpt2->embd_dropout;
    c.block.attn_dropout = b->attn_dropout;
    c.block.resid_dropout = b->resid_dropout;
    return c;
}

const ModelFamily llama_family = {.is = llama_is,
                                  .load = llama_load,
                                  .tokenizer = llama_tokenizer_load,
                                  .describes = llama_is_family,
                                  .save = llama_save,
                                  .saves_floats_only = true,
                                  .save_gguf = llama_gguf_save,
                                  .config = config_of};
