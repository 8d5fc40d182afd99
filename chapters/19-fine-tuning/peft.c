/* PEFT's files: see peft.h. */
#include "19-fine-tuning/peft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "18-llama/llama.h"
#include "18-llama/llama_split.h"
#include "base/error.h"
#include "base/memory.h"
#include "checkpoints/safetensors.h"
#include "files/json.h"

static const char config_file[] = "adapter_config.json",
                  weights_file[] = "adapter_model.safetensors";

/* --- names --- */

/* What the model's class calls some of a matrix's columns. */
typedef struct {
    char name[LLAMA_NAME]; /* "transformer.h.0.attn.c_attn" */
    size_t first, n_out;
} Module;

static size_t modules_of(Module out[LLAMA_MOST_PARTS], const Gpt2 *model,
                         const Param *param) {
    const AttentionConfig *attention = &model->blocks[0].attn.config;
    bool llama = llama_is_family(&model->config);
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    if (!llama) snprintf(names[0], LLAMA_NAME, "transformer.%s", param->name);
    size_t n = llama ? llama_names(names, param->name, NAMES_HUGGINGFACE) : 1, at = 0;
    for (size_t i = 0; i < n; i++) {
        size_t heads = i == 0 ? attention->n_head : attention_kv_heads(attention);
        out[i].first = at;
        out[i].n_out =
            n == 1 ? param->tensor->shape[1] : heads * attention_head_dim(attention);
        at += out[i].n_out;
        *strrchr(names[i], '.') = '\0'; /* ".weight" */
        memcpy(out[i].name, names[i], LLAMA_NAME);
    }
    return n;
}

enum { TENSOR_NAME = LLAMA_NAME + 40 };

static const char *tensor_name(char out[TENSOR_NAME], const Module *module,
                               char which) {
    snprintf(out, TENSOR_NAME, "base_model.model.%.*s.lora_%c.weight", LLAMA_NAME - 1,
             module->name, which);
    return out;
}

/* --- writing --- */

static size_t highest_rank(const Adapters *adapters) {
    size_t rank = 0;
    for (size_t i = 0; i < adapters->n; i++) {
        if (adapters->items[i].shape.rank > rank) rank = adapters->items[i].shape.rank;
    }
    return rank;
}

/* "attn.c_attn" of block 3's module, once for all blocks. */
static void add_target(cJSON *targets, const Module *module) {
    const char *name = strpbrk(module->name, "0123456789");
    name = strchr(name, '.') + 1;
    const cJSON *t;
    cJSON_ArrayForEach(t, targets) {
        if (strcmp(t->valuestring, name) == 0) return;
    }
    cJSON_AddItemToArray(targets, cJSON_CreateString(name));
}

static void save_config(const Adapters *adapters, const Gpt2 *model, const char *base,
                        FileWriter *to) {
    size_t rank = highest_rank(adapters);
    cJSON *c = cJSON_CreateObject();
    cJSON_AddStringToObject(c, "base_model_name_or_path", base);
    cJSON_AddStringToObject(c, "bias", "none");
    /* GPT-2's class stores its matrices [n_in, n_out] */
    cJSON_AddBoolToObject(c, "fan_in_fan_out", !llama_is_family(&model->config));
    cJSON_AddBoolToObject(c, "inference_mode", true);
    json_add_float(c, "lora_alpha", adapters->items[0].shape.scale * (float)rank);
    cJSON_AddNumberToObject(c, "lora_dropout", 0);
    cJSON_AddStringToObject(c, "peft_type", "LORA");
    cJSON_AddNumberToObject(c, "r", (double)rank);
    cJSON *targets = cJSON_AddArrayToObject(c, "target_modules");
    cJSON_AddStringToObject(c, "task_type", "CAUSAL_LM");
    for (size_t i = 0; i < adapters->n; i++) {
        Module modules[LLAMA_MOST_PARTS];
        size_t n = modules_of(modules, model, adapters->items[i].param);
        for (size_t k = 0; k < n; k++) add_target(targets, &modules[k]);
    }
    json_print(c, to);
}

/* lora_A [rank, n_in], which all modules of a matrix share, and zeros up to the file's
 * rank. */
static const float *stored_a(Kept *kept, const Adapter *x, size_t rank) {
    size_t n_in = x->shape.n_in;
    float *a = kept_alloc(kept, size_mul(rank * n_in, sizeof *a));
    for (size_t k = 0; k < x->shape.rank; k++) {
        for (size_t i = 0; i < n_in; i++)
            a[k * n_in + i] = x->a->data[i * x->shape.rank + k];
    }
    return a;
}

/* lora_B [n_out, rank] of a module. */
static const float *stored_b(Kept *kept, const Adapter *x, const Module *module,
                             size_t rank) {
    float *b = kept_alloc(kept, size_mul(module->n_out * rank, sizeof *b));
    for (size_t j = 0; j < module->n_out; j++) {
        for (size_t k = 0; k < x->shape.rank; k++)
            b[j * rank + k] = x->b->data[k * x->shape.n_out + module->first + j];
    }
    return b;
}

static void save_weights(const Adapters *adapters, const Gpt2 *model, FileWriter *to) {
    SafetensorsWriter *w = safetensors_begin(weights_file);
    safetensors_add_metadata(w, "format", "pt");
    Kept kept = {0};
    size_t rank = highest_rank(adapters);
    for (size_t i = 0; i < adapters->n; i++) {
        const Adapter *x = &adapters->items[i];
        Module modules[LLAMA_MOST_PARTS];
        size_t n = modules_of(modules, model, x->param);
        const float *a = stored_a(&kept, x, rank);
        for (size_t k = 0; k < n; k++) {
            const Module *m = &modules[k];
            char name[TENSOR_NAME];
            safetensors_add(w, tensor_name(name, m, 'A'), DTYPE_F32, 2,
                            (size_t[]){rank, x->shape.n_in}, a);
            safetensors_add(w, tensor_name(name, m, 'B'), DTYPE_F32, 2,
                            (size_t[]){m->n_out, rank}, stored_b(&kept, x, m, rank));
        }
    }
    safetensors_write(w, to);
    kept_free(&kept);
}

void peft_save(const Adapters *adapters, const Gpt2 *model, const char *base,
               Directory *directory) {
    save_config(adapters, model, base, directory_add(directory, config_file));
    save_weights(adapters, model, directory_add(directory, weights_file));
}

/* --- reading --- */

typedef struct {
    size_t rank;
    float scale;
    SafeTensors file;
    bool *used; /* [file.count] */
} Reader;

/* What changes the numbers, and is not done here: none of it may be there. */
static void expect_plain(const cJSON *config, const char *path) {
    static const char *const others[] = {"alpha_pattern", "rank_pattern",
                                         "layer_replication", "use_dora",
                                         "alora_invocation_tokens"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const cJSON *x = json_member(config, path, others[i]);
        bool empty = !x || cJSON_IsNull(x) || cJSON_IsFalse(x) ||
                     ((cJSON_IsObject(x) || cJSON_IsArray(x)) && !x->child);
        if (!empty) die("file '%s': '%s' is not supported", path, others[i]);
    }
}

/* Some ways to begin change the base model, too: those weights have to be there. */
static void expect_base(const cJSON *config, const char *path) {
    static const char key[] = "init_lora_weights";
    static const char *const harmless[] = {"gaussian", "eva", "orthogonal"};
    if (!cJSON_IsString(json_member(config, path, key))) return;
    const char *way = json_text(config, path, key, "");
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++) {
        if (strcmp(way, harmless[i]) == 0) return;
    }
    die("file '%s': '%s' is '%s', which changes the base model, too: not supported",
        path, key, way);
}

static void read_config(Reader *r, const char *directory) {
    char *path = path_join(directory, config_file);
    cJSON *c = json_read_object(path);
    const char *type = json_text(c, path, "peft_type", "");
    if (strcmp(type, "LORA") != 0)
        die("file '%s': 'peft_type' is '%s', expected LORA", path, type);
    expect_plain(c, path);
    expect_base(c, path);
    r->rank = json_needed_size(c, path, "r", GPT2_MAX_WIDTH);
    double alpha = json_number(c, path, "lora_alpha", 8, 0, 1e9),
           rank = (double)r->rank;
    bool root = json_bool(c, path, "use_rslora", false);
    r->scale = (float)(alpha / (root ? sqrt(rank) : rank));
    cJSON_Delete(c);
    free(path);
}

/* The numbers of lora_A or lora_B, or NULL where there is none of that name. */
static float *read_tensor(Reader *r, const Module *module, char which, size_t rows,
                          size_t cols) {
    char name[TENSOR_NAME];
    const SafeTensor *x = safetensors_find(&r->file, tensor_name(name, module, which));
    if (!x) return NULL;
    if (x->ndim != 2 || x->shape[0] != rows || x->shape[1] != cols) {
        char is[SAFETENSORS_SHAPE_TEXT];
        safetensors_die(x, "is %s, expected [%zu, %zu]", safetensors_shape_text(x, is),
                        rows, cols);
    }
    safetensors_expect_finite(x);
    float *numbers = checked_alloc(size_mul(rows, cols), sizeof *numbers);
    safetensors_to_float(numbers, x);
    r->used[x - r->file.tensors] = true;
    return numbers;
}

/* What the file has of a module: both, or neither. */
typedef struct {
    Module module;
    float *a, *b;
} Change;

static bool read_change(Change *change, Reader *r, const Module *module, size_t n_in) {
    change->module = *module;
    change->a = read_tensor(r, module, 'A', r->rank, n_in);
    change->b = read_tensor(r, module, 'B', module->n_out, r->rank);
    char name[TENSOR_NAME];
    if (!change->a != !change->b)
        die("file '%s': tensor '%s' is missing", r->file.path,
            tensor_name(name, module, change->a ? 'B' : 'A'));
    return change->a != NULL;
}

/* Its numbers, from row `at` of b on. */
static void take_change(Adapter *x, const Change *change, size_t at, size_t rank) {
    const LoraShape *s = &x->shape;
    for (size_t k = 0; k < rank; k++) {
        for (size_t i = 0; i < s->n_in; i++)
            x->a->data[i * s->rank + at + k] = change->a[k * s->n_in + i];
        for (size_t j = 0; j < change->module.n_out; j++)
            x->b->data[(at + k) * s->n_out + change->module.first + j] =
                change->b[j * rank + k];
    }
}

static void read_matrix(Adapters *adapters, Reader *r, const Gpt2 *model,
                        const Param *param) {
    Module modules[LLAMA_MOST_PARTS];
    Change changes[LLAMA_MOST_PARTS];
    size_t n_modules = modules_of(modules, model, param), n = 0,
           n_in = param->tensor->shape[0];
    for (size_t i = 0; i < n_modules; i++)
        n += read_change(&changes[n], r, &modules[i], n_in);
    if (n == 0) return;
    bool shared = true;
    for (size_t i = 1; i < n; i++)
        shared = shared && memcmp(changes[i].a, changes[0].a,
                                  r->rank * n_in * sizeof(float)) == 0;
    Adapter *x =
        adapters_add(adapters, param, shared ? r->rank : n * r->rank, r->scale);
    for (size_t i = 0; i < n; i++) {
        take_change(x, &changes[i], shared ? 0 : i * r->rank, r->rank);
        free(changes[i].a);
        free(changes[i].b);
    }
}

static void expect_all_used(const Reader *r) {
    for (size_t i = 0; i < r->file.count; i++) {
        if (!r->used[i])
            safetensors_die(&r->file.tensors[i],
                            "no matrix of the model's blocks is changed by it");
    }
}

Adapters peft_load(const Gpt2 *model, const char *directory) {
    Reader r = {0};
    directory_finish(directory);
    read_config(&r, directory);
    char *path = path_join(directory, weights_file);
    r.file = safetensors_open(path);
    r.used = checked_alloc(r.file.count, sizeof *r.used);
    Adapters adapters = adapters_begin(model);
    for (size_t i = 0; i < model->params.n; i++) {
        if (adapters_can_change(model, &model->params.items[i]))
            read_matrix(&adapters, &r, model, &model->params.items[i]);
    }
    expect_all_used(&r);
    if (!adapters.n) die("file '%s': there is no change in it", path);
    safetensors_close(&r.file);
    free(r.used);
    free(path);
    return adapters;
}

void peft_expect(const char *directory) {
    directory_finish(directory);
    Reader r = {0};
    read_config(&r, directory);
}

bool peft_is_there(const char *directory) {
    directory_finish(directory);
    return directory_has(directory, weights_file) ||
           directory_has(directory, config_file);
}

void peft_expect_writable(const Directory *directory) {
    directory_expect_writable(directory, config_file);
    directory_expect_writable(directory, weights_file);
}
