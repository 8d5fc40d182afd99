/* Reading Hugging Face's GPT-2 directories: see checkpoint.h. */
#include "10-gpt2/checkpoint.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "10-gpt2/gguf_model.h"
#include "10-gpt2/weight_files.h"
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

static size_t needed_size(const cJSON *config, const char *path, const char *key,
                          size_t max) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(config, key);
    if (!item || cJSON_IsNull(item)) die("file '%s': \"%s\" is missing", path, key);
    return json_size(config, path, key, 0, 1, max);
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

/* Of a path that leads nowhere the missing file says more. */
static void expect_directory(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        die("'%s': expected a GGUF file, or a directory with config.json and "
            "model.safetensors",
            path);
}

Gpt2Config gpt2_read_config(const char *directory) {
    expect_directory(directory);
    char *path = path_join(directory, "config.json");
    cJSON *c = json_read_object(path);
    const char *type = json_text(c, path, "model_type", "gpt2");
    if (strcmp(type, "llama") == 0 || strcmp(type, "qwen2") == 0)
        die("file '%s': \"model_type\" is '%s', expected 'gpt2'; run-18 reads it", path,
            type);
    if (strcmp(type, "gpt2") != 0)
        die("file '%s': \"model_type\" is '%s', expected 'gpt2'", path, type);
    refuse(c, path, "scale_attn_weights", true);
    refuse(c, path, "tie_word_embeddings", true);
    refuse(c, path, "scale_attn_by_inverse_layer_idx", false);
    refuse(c, path, "add_cross_attention", false);
    refuse_filled(c, path, "pruned_heads");
    refuse_filled(c, path, "quantization_config");

    const char *context =
        cJSON_GetObjectItemCaseSensitive(c, "n_positions") ? "n_positions" : "n_ctx";
    Gpt2Config config = gpt2_config(needed_size(c, path, "vocab_size", GPT2_MAX_VOCAB),
                                    needed_size(c, path, context, GPT2_MAX_CONTEXT),
                                    needed_size(c, path, "n_layer", GPT2_MAX_LAYERS),
                                    needed_size(c, path, "n_head", GPT2_MAX_HEADS),
                                    needed_size(c, path, "n_embd", GPT2_MAX_WIDTH));
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

/* --- tensors --- */

static const char *without_prefix(const char *name) {
    static const char prefix[] = "transformer.";
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1
                                                         : name;
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

//> mask
/* The causal masks that older files hold. The leading dot matters: "c_attn.bias" is a
 * weight. */
static bool is_mask(const char *name) {
    return ends_with(name, ".attn.bias") || ends_with(name, ".attn.masked_bias");
}
//< mask

/* The tensor of that name, with or without the prefix; NULL if there is none. */
static const SafeTensor *find_tensor(const WeightFiles *files, const char *name) {
    char prefixed[300];
    snprintf(prefixed, sizeof prefixed, "transformer.%s", name);
    const SafeTensor *plain = weight_files_find(files, name),
                     *other = weight_files_find(files, prefixed);
    if (plain && other)
        safetensors_die(other, "it is there twice; the other one is in '%s'",
                        plain->file);
    return plain ? plain : other;
}

/* A config of too many layers is noticed before anything of their size is made. */
static void check_layers(const WeightFiles *files, const Gpt2Config *config,
                         const char *directory) {
    for (size_t l = 0; l < config->n_layer; l++) {
        char name[40];
        snprintf(name, sizeof name, "h.%zu.ln_1.weight", l);
        if (!find_tensor(files, name))
            die("directory '%s': tensor '%s' is missing; the config asks for %zu "
                "layers",
                directory, name, config->n_layer);
    }
}

/* What is in the files must be a parameter, a mask or a head. */
static void check_leftovers(const WeightFiles *files, const Params *params,
                            size_t n_layer) {
    for (size_t i = 0; i < files->n; i++) {
        for (size_t j = 0; j < files->files[i].count; j++) {
            const SafeTensor *x = &files->files[i].tensors[j];
            const char *name = without_prefix(x->name);
            if (!is_mask(name) && strcmp(name, "lm_head.weight") != 0 &&
                !params_find(params, name))
                safetensors_die(x, "a GPT-2 of %zu layers has no such tensor", n_layer);
        }
    }
}

/* The tensor of each parameter [n], all checked against a model that has shapes
 * only. */
static const SafeTensor **match(const WeightFiles *files, const Gpt2Config *config,
                                const char *directory) {
    check_layers(files, config, directory);
    Gpt2 *shapes = gpt2_create(config, PARAMS_MAPPED, NULL);
    const Params *params = &shapes->params;
    check_leftovers(files, params, config->n_layer);
    const SafeTensor **matched = checked_alloc(params->n, sizeof(SafeTensor *));
    for (size_t i = 0; i < params->n; i++) {
        matched[i] = find_tensor(files, params->items[i].name);
        if (!matched[i])
            die("directory '%s': tensor '%s' is missing", directory,
                params->items[i].name);
        weight_file_expect(matched[i], params->items[i].tensor);
    }
    gpt2_free(shapes);
    return matched;
}

//> gpt2_load
Gpt2 *gpt2_load(const char *directory, ParamsMode mode) {
    if (gguf_is_file(directory)) return gguf_model_load(directory, mode);
    directory_finish(directory); /* the rest of an interrupted save */
    Gpt2Config config = gpt2_read_config(directory);
    WeightFiles files = weight_files_open(directory);
    const SafeTensor **matched = match(&files, &config, directory);
    Gpt2 *model = gpt2_create(&config, mode, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        Param *param = &model->params.items[i];
        if (mode == PARAMS_MAPPED) {
            weight_file_map(param, matched[i]);
        } else {
            if (mode == PARAMS_TRAIN) safetensors_expect_finite(matched[i]);
            safetensors_to_float(param->tensor->data, matched[i]);
        }
    }
    const SafeTensor *head = find_tensor(&files, "lm_head.weight");
    if (head) weight_file_expect_table(head, model->wte);
    free(matched);
    if (mode == PARAMS_MAPPED) {
        model->files = files.files;
        model->n_files = files.n;
    } else {
        weight_files_close(&files);
    }
    return model;
}
//< gpt2_load
