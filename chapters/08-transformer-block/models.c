/* Four models as configs: see models.h. The numbers are those of the config.json beside each checkpoint. */
#include "08-transformer-block/models.h"

//> models
const KnownModel known_models[N_KNOWN_MODELS] = {
    {{.name = "BERT-base",
      .n_layer = 12,
      .d_model = 768,
      .d_ff = 3072,
      .n_head = 12,
      .n_kv_head = 12,
      .n_vocab = 30522,
      .n_positions = 512,
      .n_segments = 2,
      .norm_vectors = 2,
      .qkv_bias = true,
      .proj_bias = true,
      .ffn_bias = true,
      .embedding_norm = true,
      .pooler = true,
      .tied_head = true},
     109482240},
    {{.name = "GPT-2",
      .n_layer = 12,
      .d_model = 768,
      .d_ff = 3072,
      .n_head = 12,
      .n_kv_head = 12,
      .n_vocab = 50257,
      .n_positions = 1024,
      .norm_vectors = 2,
      .qkv_bias = true,
      .proj_bias = true,
      .ffn_bias = true,
      .final_norm = true,
      .tied_head = true},
     124439808},
    {{.name = "LLaMA-7B",
      .n_layer = 32,
      .d_model = 4096,
      .d_ff = 11008,
      .n_head = 32,
      .n_kv_head = 32,
      .n_vocab = 32000,
      .norm_vectors = 1,
      .gated_ffn = true,
      .final_norm = true},
     6738415616},
    {{.name = "Qwen-7B",
      .n_layer = 32,
      .d_model = 4096,
      .d_ff = 11008,
      .n_head = 32,
      .n_kv_head = 32,
      .n_vocab = 151936,
      .norm_vectors = 1,
      .gated_ffn = true,
      .qkv_bias = true,
      .final_norm = true},
     7721324544},
};
//< models

//> roughly
size_t count_parameters_roughly(const ModelShape *s) {
    size_t d = s->d_model;
    return s->n_vocab * d + s->n_layer * (4 * d * d + 2 * d * s->d_ff + 2 * d);
}
//< roughly
