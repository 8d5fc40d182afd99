/* Loading LLaMA's family: see llama_load.h. */
#include "18-llama/llama_load.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "18-llama/permute_rope.h"
#include "base/error.h"
#include "base/memory.h"

/* What a parameter is made of: one tensor of the file, or q, k and v. Linear layers'
 * matrices have a row for each output; so has a vector, of one number. */
typedef struct {
    size_t n, rows[LLAMA_MOST_PARTS], heads[LLAMA_MOST_PARTS]; /* 0: not rotated */
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    FileTensor tensors[LLAMA_MOST_PARTS];
    size_t head_dim;
} Parts;

static size_t total_rows(const Parts *p) {
    size_t sum = 0;
    for (size_t i = 0; i < p->n; i++) sum += p->rows[i];
    return sum;
}

static Parts name_parts(const LlamaFile *file, const Param *param,
                        const AttentionConfig *attention) {
    const Tensor *x = param->tensor;
    Parts p = {.head_dim = attention_head_dim(attention)};
    p.n = llama_names(p.names, param->name, file->names);
    if (!llama_is_qkv(param->name)) {
        p.rows[0] = llama_is_turned(param->name, x->ndim) ? x->shape[1] : x->shape[0];
        return p;
    }
    size_t heads[] = {attention->n_head, attention_kv_heads(attention),
                      attention_kv_heads(attention)};
    for (size_t i = 0; i < p.n; i++) {
        p.rows[i] = heads[i] * p.head_dim;
        if (file->permuted && i < 2) p.heads[i] = heads[i];
    }
    return p;
}

/* The tensors of a parameter, with the shapes that the config asks for. */
static Parts find_parts(const LlamaFile *file, const Param *param,
                        const AttentionConfig *attention) {
    Parts p = name_parts(file, param, attention);
    const Tensor *x = param->tensor;
    bool turned = llama_is_turned(param->name, x->ndim);
    for (size_t i = 0; i < p.n; i++) {
        FileTensor *t = &p.tensors[i];
        if (!llama_file_find(t, file, p.names[i]))
            llama_file_die(file, p.names[i], "is missing");
        size_t rows = x->ndim == 1 ? 1 : p.rows[i],
               cols = x->ndim == 1 ? p.rows[i] : x->shape[turned ? 0 : 1];
        if (t->ndim != x->ndim || t->weight.rows != rows || t->weight.cols != cols)
            llama_file_die(file, p.names[i],
                           "it is [%zu, %zu], the config asks for [%zu, %zu]",
                           t->weight.rows, t->weight.cols, rows, cols);
    }
    return p;
}

/* --- as floats --- */

/* Part i as floats, its rows in Hugging Face's order; to be freed. */
static float *part_floats(const Parts *p, size_t i) {
    const Weight *w = &p->tensors[i].weight;
    size_t n = w->rows * w->cols, cols = n / p->rows[i];
    float *floats = checked_alloc(n, sizeof *floats);
    weight_to_floats(floats, w);
    if (!p->heads[i]) return floats;
    float *ordered = checked_alloc(n, sizeof *ordered);
    rope_from_gguf(ordered, floats, p->heads[i], p->head_dim, cols * sizeof *floats);
    free(floats);
    return ordered;
}

/* All parts into out [in, all rows] or, not turned, one behind the other. */
static void load_floats(float *out, const Parts *p, bool turned) {
    size_t width = total_rows(p), at = 0;
    for (size_t i = 0; i < p->n; i++) {
        const Weight *w = &p->tensors[i].weight;
        float *floats = part_floats(p, i);
        if (turned) {
            for (size_t r = 0; r < w->rows; r++) {
                for (size_t c = 0; c < w->cols; c++)
                    out[c * width + at + r] = floats[r * w->cols + c];
            }
        } else {
            memcpy(out + at, floats, w->rows * w->cols * sizeof *out);
        }
        at += p->rows[i];
        free(floats);
    }
}

/* --- as they are stored --- */

static bool same_types(const Parts *p) {
    for (size_t i = 1; i < p->n; i++) {
        if (p->tensors[i].weight.type != p->tensors[0].weight.type) return false;
    }
    return true;
}

/* Rows of all parts, ordered, in one matrix of the same type. */
static void keep_rows(Param *param, const Parts *p) {
    Weight all = p->tensors[0].weight;
    size_t row_bytes = weight_bytes(&all) / all.rows;
    all.rows = total_rows(p);
    char *to = params_keep(param, size_mul(all.rows, row_bytes));
    all.data = to;
    for (size_t i = 0; i < p->n; i++) {
        const void *from = p->tensors[i].weight.data;
        if (p->heads[i])
            rope_from_gguf(to, from, p->heads[i], p->head_dim, row_bytes);
        else
            memcpy(to, from, p->rows[i] * row_bytes);
        to += p->rows[i] * row_bytes;
    }
    Weight turned = weight_transpose(&all);
    params_store(param, &turned);
}

static bool is_aligned(const Weight *w) {
    return w->type != &weight_f32 || (uintptr_t)w->data % sizeof(float) == 0;
}

static void map_parts(Param *param, const Parts *p) {
    const Weight *w = &p->tensors[0].weight;
    bool turned = llama_is_turned(param->name, param->tensor->ndim),
         whole = p->n == 1 && is_aligned(w);
    if (turned && same_types(p) && !whole) {
        keep_rows(param, p);
    } else if (turned && whole) {
        Weight transposed = weight_transpose(w);
        params_store(param, &transposed);
    } else if (whole && w->type == &weight_f32) {
        params_map(param, w->data);
    } else if (whole && param->tensor->ndim == 2) {
        params_store(param, w);
    } else {
        load_floats(params_own(param), p, turned);
    }
}

static void expect_finite(const LlamaFile *file, const Param *param) {
    const float *x = param->tensor->data;
    for (size_t i = 0; i < tensor_size(param->tensor); i++) {
        if (!isfinite(x[i]))
            llama_file_die(file, param->name, "one of its numbers is %f", (double)x[i]);
    }
}

/* --- the whole model --- */

static bool is_known(const LlamaFile *file, const Params *params, const char *name) {
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    const char *end = strstr(name, ".rotary_emb.inv_freq"); /* of older directories */
    if (end || strcmp(name, "rope_freqs.weight") == 0) return true;
    if (!file->gguf && strcmp(name, "lm_head.weight") == 0) return true;
    for (size_t i = 0; i < params->n; i++) {
        size_t n = llama_names(names, params->items[i].name, file->names);
        for (size_t k = 0; k < n; k++) {
            if (strcmp(names[k], name) == 0) return true;
        }
    }
    return false;
}

/* Everything is checked against a model that has shapes only, before anything of its
 * size is made. */
static void check_tensors(const LlamaFile *file, const Gpt2Config *config) {
    FileTensor last;
    char names[LLAMA_MOST_PARTS][LLAMA_NAME], ours[40];
    for (size_t l = 0; l < config->n_layer; l++) {
        snprintf(ours, sizeof ours, "h.%zu.ln_1.weight", l);
        llama_names(names, ours, file->names);
        if (!llama_file_find(&last, file, names[0]))
            llama_file_die(file, names[0], "is missing; the config asks for %zu layers",
                           config->n_layer);
    }
    Gpt2 *shapes = gpt2_create(config, PARAMS_MAPPED, NULL);
    for (size_t i = 0; i < shapes->params.n; i++)
        find_parts(file, &shapes->params.items[i], &shapes->blocks[0].attn.config);
    const char *name;
    for (size_t i = 0; (name = llama_file_name(file, i)); i++) {
        if (!is_known(file, &shapes->params, name))
            llama_file_die(file, name, "a model of %zu layers has no such tensor",
                           config->n_layer);
    }
    gpt2_free(shapes);
}

static Gpt2 *load(LlamaFile *file, const Gpt2Config *config, ParamsMode mode) {
    check_tensors(file, config);
    Gpt2 *model = gpt2_create(config, mode, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        Param *param = &model->params.items[i];
        Parts p = find_parts(file, param, &model->blocks[0].attn.config);
        if (mode == PARAMS_MAPPED)
            map_parts(param, &p);
        else
            load_floats(param->tensor->data, &p,
                        llama_is_turned(param->name, param->tensor->ndim));
        if (mode == PARAMS_TRAIN) expect_finite(file, param);
    }
    return model;
}

static Gpt2 *load_directory(const char *path, ParamsMode mode) {
    Gpt2Config config = llama_read_config(path);
    LlamaFile file = {
        .path = path, .names = NAMES_HUGGINGFACE, .files = weight_files_open(path)};
    Gpt2 *model = load(&file, &config, mode);
    const SafeTensor *head = weight_files_find(&file.files, "lm_head.weight");
    if (head && !config.own_head) weight_file_expect_table(head, model->wte);
    if (mode == PARAMS_MAPPED) {
        model->files = file.files.files;
        model->n_files = file.files.n;
    } else {
        weight_files_close(&file.files);
    }
    return model;
}

Gpt2 *llama_load(const char *path, ParamsMode mode) {
    directory_finish(path); /* the rest of an interrupted save, before the config */
    if (!llama_is(path)) return gpt2_load(path, mode);
    if (!gguf_is_file(path)) return load_directory(path, mode);
    Gguf *gguf = gguf_open(path);
    Gpt2Config config = llama_gguf_config(gguf);
    LlamaFile file = {
        .path = path,
        .names = NAMES_GGUF,
        .gguf = gguf,
        .permuted = gguf_text_is(gguf_text(gguf, "general.architecture"), "llama")};
    Gpt2 *model = load(&file, &config, mode);
    if (mode == PARAMS_MAPPED)
        model->gguf = gguf;
    else
        gguf_close(gguf);
    return model;
}
