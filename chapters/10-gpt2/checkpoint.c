/* Reading Hugging Face's GPT-2 directories: see checkpoint.h. */
#include "10-gpt2/checkpoint.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "file.h"
#include "json.h"

/* --- config.json --- */

static void refuse(const cJSON *config, const char *path, const char *key, bool supported) {
    if (json_bool(config, path, key, supported) != supported) {
        die("file '%s': \"%s\" is %s, which is not supported", path, key, supported ? "false" : "true");
    }
}

static size_t needed_size(const cJSON *config, const char *path, const char *key, size_t max) {
    size_t value = json_size(config, path, key, 0, 0, max);
    if (!value) die("file '%s': \"%s\" is missing or 0", path, key);
    return value;
}

Gpt2Config gpt2_read_config(const char *directory) {
    char *path = path_join(directory, "config.json");
    cJSON *c = json_read_object(path);
    const char *type = json_text(c, path, "model_type", "gpt2");
    if (strcmp(type, "gpt2") != 0) die("file '%s': \"model_type\" is '%s', expected 'gpt2'", path, type);
    refuse(c, path, "scale_attn_weights", true);
    refuse(c, path, "tie_word_embeddings", true);
    refuse(c, path, "scale_attn_by_inverse_layer_idx", false);
    refuse(c, path, "add_cross_attention", false);

    const char *context = cJSON_HasObjectItem(c, "n_positions") ? "n_positions" : "n_ctx";
    Gpt2Config config =
        gpt2_config(needed_size(c, path, "vocab_size", 1 << 24), needed_size(c, path, context, 1 << 24),
                    needed_size(c, path, "n_layer", 1 << 12), needed_size(c, path, "n_head", 1 << 12),
                    needed_size(c, path, "n_embd", 1 << 16));
    BlockConfig *block = &config.block;
    if (block->d_model % block->n_head != 0) {
        die("file '%s': \"n_embd\" %zu is not a multiple of \"n_head\" %zu", path, block->d_model,
            block->n_head);
    }
    block->d_ff = json_size(c, path, "n_inner", 4 * block->d_model, 1, 1 << 20);
    block->ffn = ffn_kind(json_text(c, path, "activation_function", "gelu_new"));
    if (ffn_is_gated(block->ffn))
        die("file '%s': \"activation_function\" is a gated one, which GPT-2 has not", path);
    block->norm_eps = (float)json_number(c, path, "layer_norm_epsilon", 1e-5, 1e-12, 1);
    config.embd_dropout = (float)json_number(c, path, "embd_pdrop", 0.1, 0, 0.99);
    block->attn_dropout = (float)json_number(c, path, "attn_pdrop", 0.1, 0, 0.99);
    block->resid_dropout = (float)json_number(c, path, "resid_pdrop", 0.1, 0, 0.99);
    config.init_std = (float)json_number(c, path, "initializer_range", 0.02, 0, 10);
    cJSON_Delete(c);
    free(path);
    return config;
}

/* --- the files with the weights --- */

typedef struct {
    SafeTensors *files;
    size_t n;
} Files;

static void add_file(Files *files, const char *directory, const char *name) {
    if (strchr(name, '/'))
        die("file '%s/model.safetensors.index.json': '%s' is not the name of a file beside it", directory,
            name);
    char *path = path_join(directory, name);
    for (size_t i = 0; i < files->n; i++) {
        if (strcmp(files->files[i].path, path) == 0) {
            free(path);
            return;
        }
    }
    files->files = checked_realloc(files->files, files->n + 1, sizeof *files->files);
    files->files[files->n++] = safetensors_open(path);
    free(path);
}

static Files open_files(const char *directory) {
    Files files = {0};
    char *single = path_join(directory, "model.safetensors");
    char *index = path_join(directory, "model.safetensors.index.json");
    if (access(single, F_OK) == 0 || access(index, F_OK) != 0) {
        add_file(&files, directory, "model.safetensors");
    } else {
        cJSON *object = json_read_object(index);
        const cJSON *map = cJSON_GetObjectItemCaseSensitive(object, "weight_map"), *entry;
        if (!cJSON_IsObject(map)) die("file '%s': \"weight_map\" is not an object", index);
        cJSON_ArrayForEach(entry, map) {
            if (!cJSON_IsString(entry))
                die("file '%s': the file of tensor '%s' is not a string", index, entry->string);
            add_file(&files, directory, entry->valuestring);
        }
        if (!files.n) die("file '%s': \"weight_map\" is empty", index);
        cJSON_Delete(object);
    }
    free(single);
    free(index);
    return files;
}

/* --- tensors --- */

static const char *without_prefix(const char *name) {
    static const char prefix[] = "transformer.";
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : name;
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The causal masks that older files hold. The leading dot matters: "c_attn.bias" is a weight. */
static bool is_mask(const char *name) {
    return ends_with(name, ".attn.bias") || ends_with(name, ".attn.masked_bias");
}

static bool can_be_mapped(const Files *files) {
    for (size_t i = 0; i < files->n; i++) {
        for (size_t j = 0; j < files->files[i].count; j++) {
            const SafeTensor *x = &files->files[i].tensors[j];
            if (is_mask(x->name)) continue;
            if (x->dtype != DTYPE_F32 || (uintptr_t)x->data % sizeof(float) != 0) return false;
        }
    }
    return true;
}

static void load_tensor(Tensor *into, const SafeTensor *from, ParamsMode mode) {
    bool same = from->ndim == into->ndim;
    for (int i = 0; same && i < into->ndim; i++) same = from->shape[i] == into->shape[i];
    if (!same) {
        char wanted[TENSOR_SHAPE_TEXT], got[SAFETENSORS_SHAPE_TEXT];
        safetensors_die(from, "its shape is %s, the config asks for %s", safetensors_shape_text(from, got),
                        tensor_shape_text(into, wanted));
    }
    if (mode == PARAMS_MAPPED) {
        into->data = (float *)(uintptr_t)from->data; /* read-only pages: only inference maps */
    } else {
        safetensors_to_float(into->data, from);
    }
}

/* A head that is stored again must be the token embedding. */
static void check_head(const SafeTensor *head, const Tensor *wte) {
    if (head->ndim != 2 || head->shape[0] != wte->shape[0] || head->shape[1] != wte->shape[1]) {
        safetensors_die(head, "its shape is not that of wte.weight");
    }
    float *copy = checked_alloc(head->size, sizeof *copy);
    safetensors_to_float(copy, head);
    bool same = memcmp(copy, wte->data, head->size * sizeof *copy) == 0;
    free(copy);
    if (!same) safetensors_die(head, "it differs from wte.weight; a head of its own is not supported");
}

/* The index of the parameter of that name; `n` if there is none. */
static size_t find_index(const Params *params, const char *name) {
    size_t i = 0;
    while (i < params->n && strcmp(params->items[i].name, name) != 0) i++;
    return i;
}

Gpt2 *gpt2_load(const char *directory, ParamsMode mode) {
    Gpt2Config config = gpt2_read_config(directory);
    Files files = open_files(directory);
    if (mode == PARAMS_MAPPED && !can_be_mapped(&files)) mode = PARAMS_INFER;
    Gpt2 *model = gpt2_create(&config, mode, NULL);
    Params *params = &model->params;

    bool *loaded = checked_alloc(params->n, sizeof *loaded);
    const SafeTensor *head = NULL;
    for (size_t i = 0; i < files.n; i++) {
        for (size_t j = 0; j < files.files[i].count; j++) {
            const SafeTensor *x = &files.files[i].tensors[j];
            const char *name = without_prefix(x->name);
            size_t index = find_index(params, name);
            if (is_mask(name)) continue;
            if (strcmp(name, "lm_head.weight") == 0) {
                head = x;
                continue;
            }
            if (index == params->n)
                safetensors_die(x, "a GPT-2 of %zu layers has no such tensor", config.n_layer);
            if (loaded[index]) safetensors_die(x, "it is there twice");
            load_tensor(params->items[index].tensor, x, mode);
            loaded[index] = true;
        }
    }
    for (size_t i = 0; i < params->n; i++) {
        if (!loaded[i]) die("file '%s': tensor '%s' is missing", files.files[0].path, params->items[i].name);
    }
    if (head) check_head(head, model->wte);
    free(loaded);
    if (mode == PARAMS_MAPPED) {
        model->files = files.files;
        model->n_files = files.n;
    } else {
        for (size_t i = 0; i < files.n; i++) safetensors_close(&files.files[i]);
        free(files.files);
    }
    return model;
}
