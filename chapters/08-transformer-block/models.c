/* Models as configs: see models.h. The numbers are those of the config.json beside each
 * checkpoint. */
#include "08-transformer-block/models.h"

/* The four GPT-2s differ in three numbers. Keys and values are not shared, and the FFN
 * is 4 d_model wide. */
#define GPT2(model, layers, heads, width, count)                                       \
    {                                                                                  \
        {.name = model,                                                                \
         .n_layer = layers,                                                            \
         .d_model = width,                                                             \
         .d_ff = 4 * width,                                                            \
         .n_head = heads,                                                              \
         .n_kv_head = heads,                                                           \
         .n_vocab = 50257,                                                             \
         .n_positions = 1024,                                                          \
         .norm_vectors = 2,                                                            \
         .qkv_bias = true,                                                             \
         .proj_bias = true,                                                            \
         .ffn_bias = true,                                                             \
         .final_norm = true,                                                           \
         .tied_head = true},                                                           \
            count                                                                      \
    }

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
    GPT2("GPT-2", 12, 12, 768, 124439808),
    GPT2("GPT-2 medium", 24, 16, 1024, 354823168),
    GPT2("GPT-2 large", 36, 20, 1280, 774030080),
    GPT2("GPT-2 XL", 48, 25, 1600, 1557611200),
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
    {{.name = "Mistral-7B", /* 32 heads for queries share 8 for keys and values */
      .n_layer = 32,
      .d_model = 4096,
      .d_ff = 14336,
      .n_head = 32,
      .n_kv_head = 8,
      .n_vocab = 32000,
      .norm_vectors = 1,
      .gated_ffn = true,
      .final_norm = true},
     7241732096},
    {{.name = "SmolLM2-135M",
      .n_layer = 30,
      .d_model = 576,
      .d_ff = 1536,
      .n_head = 9,
      .n_kv_head = 3,
      .n_vocab = 49152,
      .norm_vectors = 1,
      .gated_ffn = true,
      .final_norm = true,
      .tied_head = true},
     134515008},
    {{.name = "Qwen2.5-0.5B",
      .n_layer = 24,
      .d_model = 896,
      .d_ff = 4864,
      .n_head = 14,
      .n_kv_head = 2,
      .n_vocab = 151936,
      .norm_vectors = 1,
      .gated_ffn = true,
      .qkv_bias = true,
      .final_norm = true,
      .tied_head = true},
     494032768},
    {{.name = "Llama-3.2-1B",
      .n_layer = 16,
      .d_model = 2048,
      .d_ff = 8192,
      .n_head = 32,
      .n_kv_head = 8,
      .n_vocab = 128256,
      .norm_vectors = 1,
      .gated_ffn = true,
      .final_norm = true,
      .tied_head = true},
     1235814400},
};

//> roughly
uint64_t count_parameters_roughly(const ModelShape *s) {
    uint64_t d = s->d_model;
    return s->n_vocab * d + s->n_layer * (4 * d * d + 2 * d * s->d_ff + 2 * d);
}
//< roughly
