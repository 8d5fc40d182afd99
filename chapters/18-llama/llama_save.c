/* Hugging Face directories of LLaMA's family: see llama_save.h. */
#include "18-llama/llama_save.h"

#include <string.h>

#include "18-llama/llama.h"
#include "18-llama/llama_split.h"
#include "18-llama/llama_tokenizer.h"
#include "18-llama/rope.h"
#include "base/error.h"
#include "checkpoints/safetensors.h"
#include "files/json.h"

static void add_text(cJSON *c, const char *key, const char *text) {
    cJSON_AddStringToObject(c, key, text);
}
static void add_size(cJSON *c, const char *key, size_t value) {
    cJSON_AddNumberToObject(c, key, (double)value);
}
static void add_bool(cJSON *c, const char *key, bool value) {
    cJSON_AddBoolToObject(c, key, value);
}

/* --- config.json --- */

/* Qwen2's class has biases on q, k and v and says no more of them. */
static bool is_qwen2(const BlockConfig *b) {
    return b->qkv_bias && !b->proj_bias && !b->ffn_bias;
}

static bool base_alone(const BlockConfig *b) {
    float plain[ROTARY_MOST_PAIRS];
    const Rotary *r = &b->rotary;
    rope_frequencies(plain, b->d_model, b->n_head, r->base);
    return memcmp(plain, r->frequencies, r->n_pairs * sizeof *plain) == 0;
}

static void expect_huggingface(const Gpt2Config *config) {
    const BlockConfig *b = &config->block;
    if (!llama_is_family(config) || (b->qkv_bias != b->proj_bias && !is_qwen2(b)))
        die("this model cannot be saved as LlamaForCausalLM or Qwen2ForCausalLM: these "
            "have pre-LN, RMSNorm, SwiGLU, rotary positions, plain residual "
            "connections and biases in all of attention, on q, k and v or nowhere");
    if (b->rotary.factor == 0 && !base_alone(b))
        die("this model cannot be saved as a Hugging Face directory: config.json has "
            "no words for its rotary frequencies, which are neither the base's nor "
            "scaled as Llama 3 does it");
}

static void add_rotary(cJSON *c, const Rotary *r) {
    json_add_float(c, "rope_theta", r->base);
    if (r->factor == 0) {
        cJSON_AddNullToObject(c, "rope_scaling");
        return;
    }
    cJSON *scaling = cJSON_AddObjectToObject(c, "rope_scaling");
    json_add_float(scaling, "factor", r->factor);
    add_text(scaling, "rope_type", r->high > 0 ? "llama3" : "linear");
    if (r->high == 0) return;
    json_add_float(scaling, "high_freq_factor", r->high);
    json_add_float(scaling, "low_freq_factor", r->low);
    add_size(scaling, "original_max_position_embeddings", r->original_context);
}

static void add_token(cJSON *c, const char *key, int id) {
    if (id >= 0)
        add_size(c, key, (size_t)id);
    else
        cJSON_AddNullToObject(c, key);
}

static const char *type_name(const Gpt2 *model) {
    bool all_f32 = true, all_bf16 = true;
    for (size_t i = 0; i < model->params.n; i++) {
        const Tensor *x = model->params.items[i].tensor;
        if (x->ndim != 2) continue;
        const WeightType *type = tensor_weight(x).type;
        all_bf16 = all_bf16 && type == &weight_bf16;
        all_f32 = all_f32 && type != &weight_bf16 && type != &weight_f16;
    }
    return all_f32 ? "float32" : all_bf16 ? "bfloat16" : "float16";
}

static void save_config(const Gpt2 *model, const Tokenizer *t, FileWriter *w) {
    const Gpt2Config *config = &model->config;
    const BlockConfig *b = &config->block;
    bool qwen2 = is_qwen2(b);
    cJSON *c = cJSON_CreateObject();
    const char *class = qwen2 ? "Qwen2ForCausalLM" : "LlamaForCausalLM";
    cJSON_AddItemToObject(c, "architectures", cJSON_CreateStringArray(&class, 1));
    if (!qwen2) add_bool(c, "attention_bias", b->qkv_bias);
    json_add_float(c, "attention_dropout", b->attn_dropout);
    add_token(c, "bos_token_id", !t ? -1 : t->begin >= 0 ? t->begin : t->bos);
    if (t && t->n_ends > 1)
        cJSON_AddItemToObject(c, "eos_token_id",
                              cJSON_CreateIntArray(t->ends, (int)t->n_ends));
    else
        add_token(c, "eos_token_id", t ? tokenizer_end(t) : -1);
    if (t && t->pad >= 0) add_token(c, "pad_token_id", t->pad);
    add_size(c, "head_dim", b->d_model / b->n_head);
    add_text(c, "hidden_act", "silu");
    add_size(c, "hidden_size", b->d_model);
    json_add_float(c, "initializer_range", config->init_std);
    add_size(c, "intermediate_size", b->d_ff);
    add_size(c, "max_position_embeddings", config->n_ctx);
    if (!qwen2) add_bool(c, "mlp_bias", b->ffn_bias);
    add_text(c, "model_type", qwen2 ? "qwen2" : "llama");
    add_size(c, "num_attention_heads", b->n_head);
    add_size(c, "num_hidden_layers", config->n_layer);
    add_size(c, "num_key_value_heads", b->n_kv_head ? b->n_kv_head : b->n_head);
    json_add_float(c, "rms_norm_eps", b->norm_eps);
    add_rotary(c, &b->rotary);
    add_bool(c, "tie_word_embeddings", !config->own_head);
    add_text(c, "torch_dtype", type_name(model));
    if (qwen2) add_bool(c, "use_sliding_window", false);
    add_size(c, "vocab_size", config->n_vocab);
    json_print(c, w);
}

/* --- model.safetensors --- */

static void add_piece(SafetensorsWriter *w, Kept *kept, const Piece *piece) {
    const Weight *weight = &piece->weight;
    size_t shape[] = {weight->rows, weight->cols};
    Dtype dtype = weight->type == &weight_f16    ? DTYPE_F16
                  : weight->type == &weight_bf16 ? DTYPE_BF16
                                                 : DTYPE_F32;
    const void *data = weight->data;
    if (dtype == DTYPE_F32 && weight->type != &weight_f32) {
        float *floats = kept_alloc(kept, weight->rows * weight->cols * sizeof *floats);
        weight_to_floats(floats, weight);
        data = floats;
    }
    safetensors_add(w, piece->name, dtype, piece->ndim,
                    piece->ndim == 1 ? &shape[1] : shape, data);
}

static void save_weights(const Gpt2 *model, FileWriter *out) {
    Kept kept = {0};
    SafetensorsWriter *w = safetensors_begin("model.safetensors");
    safetensors_add_metadata(w, "format", "pt");
    for (size_t i = 0; i < model->params.n; i++) {
        Piece pieces[LLAMA_MOST_PARTS];
        size_t n = llama_split(pieces, &kept, &model->params.items[i],
                               &model->blocks[0].attn.config, NAMES_HUGGINGFACE, false);
        for (size_t k = 0; k < n; k++) add_piece(w, &kept, &pieces[k]);
    }
    safetensors_write(w, out);
    kept_free(&kept);
}

/* --- the directory --- */

void llama_save(const Gpt2 *model, const Tokenizer *tokenizer, Directory *directory) {
    expect_huggingface(&model->config);
    save_config(model, tokenizer, directory_add(directory, "config.json"));
    if (tokenizer) tokenizer_json_save(tokenizer, directory);
    save_weights(model, directory_add(directory, "model.safetensors"));
}
