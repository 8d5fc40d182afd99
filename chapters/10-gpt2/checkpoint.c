/* Reading Hugging Face's GPT-2 directories: see checkpoint.h. */
#include "10-gpt2/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gguf_model.h"
#include "base/error.h"
#include "files/file.h"
#include "files/json.h"
#include "base/memory.h"

/* --- config.json --- */

static void refuse(const cJSON *config, const char *path, const char *key,
                   bool supported) {
    if (json_bool(config, path, key, supported) != supported) {
        die("file '%s': \"%s\" is %s, which is not supported", path, key,
            supported ? "false" : "true");
    }
}

/* Parts of a config that may be there as long as they are empty. */
static void refuse_filled(const cJSON *config, const char *path, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(config, key);
    if (item && !cJSON_IsNull(item) &&
        (item->child || !(cJSON_IsObject(item) || cJSON_IsArray(item))))
        die("file '%s': \"%s\" is not empty, which is not supported", path, key);
}

/* Hugging Face's configs have null for 4 n_embd. */
static size_t width_inside(const cJSON *config, const char *path, size_t d_model) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(config, "n_inner");
    if (cJSON_IsNull(item)) return 4 * d_model;
    return json_size(config, path, "n_inner", 4 * d_model, 1, 4 * GPT2_MAX_WIDTH);
}

/* Hugging Face has several names for the two forms of GELU and for SiLU. */
static FfnKind activation(const cJSON *config, const char *path) {
    static const struct {
        const char *name;
        FfnKind kind;
    } known[] = {
        {"gelu_new", FFN_GELU_TANH}, {"gelu_pytorch_tanh", FFN_GELU_TANH},
        {"gelu", FFN_GELU_ERF},      {"gelu_python_tanh", FFN_GELU_TANH},
        {"relu", FFN_RELU},          {"gelu_python", FFN_GELU_ERF},
        {"silu", FFN_SILU},          {"swish", FFN_SILU},
    };
    const char *name = json_text(config, path, "activation_function", "gelu_new");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(name, known[i].name) == 0) return known[i].kind;
    }
    die("file '%s': \"activation_function\" is '%s', expected gelu_new, gelu, relu or "
        "silu",
        path, name);
}

Gpt2Config gpt2_read_config(const char *directory) {
    char *path = path_join(directory, "config.json");
    cJSON *c = json_read_object(path);
    refuse(c, path, "scale_attn_weights", true);
    refuse(c, path, "tie_word_embeddings", true);
    refuse(c, path, "scale_attn_by_inverse_layer_idx", false);
    refuse(c, path, "add_cross_attention", false);
    refuse_filled(c, path, "pruned_heads");
    refuse_filled(c, path, "quantization_config");

    const char *context =
        cJSON_GetObjectItemCaseSensitive(c, "n_positions") ? "n_positions" : "n_ctx";
    Gpt2Config config =
        gpt2_config(json_needed_size(c, path, "vocab_size", GPT2_MAX_VOCAB),
                    json_needed_size(c, path, context, GPT2_MAX_CONTEXT),
                    json_needed_size(c, path, "n_layer", GPT2_MAX_LAYERS),
                    json_needed_size(c, path, "n_head", GPT2_MAX_HEADS),
                    json_needed_size(c, path, "n_embd", GPT2_MAX_WIDTH));
    BlockConfig *block = &config.block;
    if (block->d_model % block->n_head != 0) {
        die("file '%s': \"n_embd\" %zu is not a multiple of \"n_head\" %zu", path,
            block->d_model, block->n_head);
    }
    block->d_ff = width_inside(c, path, block->d_model);
    block->ffn = activation(c, path);
    block->norm_eps = (float)json_number(c, path, "layer_norm_epsilon", 1e-5, 1e-12, 1);
    config.embd_dropout = (float)json_number(c, path, "embd_pdrop", 0.1, 0, 0.99);
    block->attn_dropout = (float)json_number(c, path, "attn_pdrop", 0.1, 0, 0.99);
    block->resid_dropout = (float)json_number(c, path, "resid_pdrop", 0.1, 0, 0.99);
    config.init_std = (float)json_number(c, path, "initializer_range", 0.02, 0, 10);
    cJSON_Delete(c);
    free(path);
    return config;
}

static Gpt2Config directory_config(const ModelFile *file) {
    return gpt2_read_config(file->path);
}

/* --- the model --- */

static Weight directory_weight(ModelFile *file, const Gpt2 *model, Param *param) {
    (void)model;
    return model_file_weight(file, param->name, param->tensor, false);
}

static const ModelFormat directory_format = {
    .config = directory_config, .weight = directory_weight, .head = "lm_head.weight"};

const ModelFormat *gpt2_format(const ModelFile *file) {
    const char *a = file->architecture;
    if (strcmp(a, "llama") == 0 || strcmp(a, "qwen2") == 0)
        model_file_die_architecture(file, "'gpt2'; run-18 reads it");
    if (strcmp(a, "gpt2") != 0) model_file_die_architecture(file, "'gpt2'");
    return file->gguf ? &gguf_format : &directory_format;
}

Gpt2 *gpt2_load(const char *directory, ParamsMode mode) {
    ModelFile *file = model_file_open(directory);
    return gpt2_load_file(file, gpt2_format(file), mode);
}
