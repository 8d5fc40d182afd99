/* GPT-2 in GGUF files: see gguf_model.h. */
#include "10-gpt2/gguf_model.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_tokenizer.h"
#include "base/error.h"
#include "base/memory.h"

/* --- names --- */

enum { NAME = 80 };
static const char head_name[] = "output.weight", table_name[] = "token_embd.weight";

/* Hugging Face's names and llama.cpp's, without ".weight" and ".bias";
 * in a block behind "h.N." and "blk.N.". */
static const struct {
    const char *ours, *theirs;
} names[] = {
    {"wte", "token_embd"}, {"wpe", "position_embd"},    {"ln_f", "output_norm"},
    {"ln_1", "attn_norm"}, {"attn.c_attn", "attn_qkv"}, {"attn.c_proj", "attn_output"},
    {"ln_2", "ffn_norm"},  {"mlp.c_fc", "ffn_up"},      {"mlp.c_proj", "ffn_down"}};

/* "h.3.ln_1.bias" -> "blk.3.attn_norm.bias" */
static void gguf_name(char out[NAME], const char *name) {
    size_t layer;
    int begin = 0;
    char block[32] = "";
    if (sscanf(name, "h.%zu.%n", &layer, &begin) == 1 && begin)
        snprintf(block, sizeof block, "blk.%zu.", layer);
    const char *part = name + begin, *end = strrchr(part, '.');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i].ours);
        if (end != part + n || strncmp(part, names[i].ours, n) != 0) continue;
        snprintf(out, NAME, "%s%s%s", block, names[i].theirs, end);
        return;
    }
    die("parameter '%s' has no name in GGUF files", name);
}

/* The two tables have rows for what is looked up in them in both worlds. */
bool gguf_is_transposed(const Param *p) {
    return p->tensor->ndim == 2 && strncmp(p->name, "h.", 2) == 0;
}

/* --- reading --- */

static Gpt2Config read_config(const Gguf *file) {
    GgufText architecture = gguf_text(file, "general.architecture");
    if (gguf_text_is(architecture, "llama") || gguf_text_is(architecture, "qwen2"))
        die("file '%s': key 'general.architecture' is '%.*s', expected 'gpt2'; run-18 "
            "reads it",
            file->path, (int)architecture.bytes, architecture.text);
    if (!gguf_text_is(architecture, "gpt2"))
        die("file '%s': key 'general.architecture': expected 'gpt2'", file->path);
    const GgufTensor *table = gguf_find(file, table_name);
    if (!table || table->ndim != 2)
        die("file '%s': there is no matrix '%s'", file->path, table_name);
    if (table->shape[0] > GPT2_MAX_VOCAB)
        gguf_die(file, table, "has %zu rows, expected at most %d", table->shape[0],
                 GPT2_MAX_VOCAB);
    Gpt2Config config = gpt2_config(
        table->shape[0], gguf_size(file, "gpt2.context_length", 1, GPT2_MAX_CONTEXT),
        gguf_size(file, "gpt2.block_count", 1, GPT2_MAX_LAYERS),
        gguf_size(file, "gpt2.attention.head_count", 1, GPT2_MAX_HEADS),
        gguf_size(file, "gpt2.embedding_length", 1, GPT2_MAX_WIDTH));
    BlockConfig *block = &config.block;
    if (block->d_model % block->n_head)
        die("file '%s': key 'gpt2.embedding_length': %zu is not a multiple of %zu "
            "heads",
            file->path, block->d_model, block->n_head);
    block->d_ff = gguf_size(file, "gpt2.feed_forward_length", 1, 4 * GPT2_MAX_WIDTH);
    block->norm_eps =
        (float)gguf_number(file, "gpt2.attention.layer_norm_epsilon", 1e-12, 1);
    return config;
}

/* The tensor of a parameter, with the shape that the config asks for. */
static const GgufTensor *find_tensor(const Gguf *file, const Param *param) {
    char name[NAME];
    gguf_name(name, param->name);
    const GgufTensor *t = gguf_find(file, name);
    if (!t) die("file '%s': tensor '%s' is missing", file->path, name);
    const Tensor *wanted = param->tensor;
    bool turned = gguf_is_transposed(param), same = t->ndim == wanted->ndim;
    for (int i = 0; same && i < t->ndim; i++)
        same = t->shape[i] == wanted->shape[turned ? t->ndim - 1 - i : i];
    char text[TENSOR_SHAPE_TEXT];
    if (!same)
        gguf_die(file, t, "its shape does not fit, the config asks for %s%s",
                 tensor_shape_text(wanted, text),
                 turned ? ", the other way round" : "");
    return t;
}

static void expect_finite(const Gguf *file, const GgufTensor *from,
                          const float *numbers) {
    for (size_t i = 0; i < from->size; i++) {
        if (!isfinite(numbers[i]))
            gguf_die(file, from, "one of its numbers is %f", (double)numbers[i]);
    }
}

/* Floats and matrices are used where they are in the file; the rest becomes floats in
 * memory. */
static void load_param(Param *param, const GgufTensor *from, ParamsMode mode) {
    Weight w = gguf_weight(from);
    if (gguf_is_transposed(param)) w = weight_transpose(&w);
    if (mode == PARAMS_MAPPED && from->type == &weight_f32 && !w.transposed &&
        (uintptr_t)from->data % sizeof(float) == 0) {
        params_map(param, from->data);
    } else if (mode == PARAMS_MAPPED && from->ndim == 2) {
        params_store(param, &w);
    } else {
        weight_to_floats(
            mode == PARAMS_MAPPED ? params_own(param) : param->tensor->data, &w);
    }
}

/* A head that is stored again must be the token table: byte for byte, or in another
 * type, as llama.cpp's quantizer writes it; then nothing can be compared. */
static void check_head(const Gguf *file, const GgufTensor *head,
                       const GgufTensor *table) {
    Weight a = gguf_weight(head), b = gguf_weight(table);
    if (a.rows != b.rows || a.cols != b.cols)
        gguf_die(file, head, "it is [%zu, %zu], '%s' is [%zu, %zu]", a.rows, a.cols,
                 table_name, b.rows, b.cols);
    if (a.type == b.type && memcmp(a.data, b.data, weight_bytes(&a)) != 0)
        gguf_die(file, head, "it differs from '%s'; a head of its own is not supported",
                 table_name);
}

/* All tensors are checked against a model that has shapes only, before anything of
 * their size is made. */
static void check_tensors(const Gguf *file, const Gpt2Config *config) {
    if (config->n_layer > file->n_tensors)
        die("file '%s': has %zu tensors, the config asks for %zu layers", file->path,
            file->n_tensors, config->n_layer);
    Gpt2 *shapes = gpt2_create(config, PARAMS_MAPPED, NULL);
    for (size_t i = 0; i < shapes->params.n; i++)
        find_tensor(file, &shapes->params.items[i]);
    const GgufTensor *head = gguf_find(file, head_name),
                     *table = gguf_find(file, table_name);
    size_t known = shapes->params.n + (head != NULL);
    if (file->n_tensors != known)
        die("file '%s': has %zu tensors, a GPT-2 of %zu layers has %zu", file->path,
            file->n_tensors, config->n_layer, known);
    if (head) check_head(file, head, table);
    gpt2_free(shapes);
}

Gpt2 *gguf_model_load(const char *path, ParamsMode mode) {
    Gguf *file = gguf_open(path);
    Gpt2Config config = read_config(file);
    check_tensors(file, &config);
    Gpt2 *model = gpt2_create(&config, mode, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        Param *param = &model->params.items[i];
        const GgufTensor *from = find_tensor(file, param);
        load_param(param, from, mode);
        if (mode == PARAMS_TRAIN) expect_finite(file, from, param->tensor->data);
    }
    const GgufTensor *head = gguf_find(file, head_name);
    if (mode == PARAMS_MAPPED) {
        model->gguf = file;
        if (head && head->type != gguf_find(file, table_name)->type)
            model->head = gguf_weight(head);
    } else {
        gguf_close(file);
    }
    return model;
}

/* --- writing --- */

static void expect_architecture(const Gpt2Config *config, const char *path) {
    if (!gpt2_is_gpt2(config) || config->block.ffn != FFN_GELU_TANH)
        die("file '%s': this model cannot be saved as GGUF's gpt2: that has pre-LN, "
            "LayerNorm, biases, "
            "learned "
            "positions, plain residual connections and the tanh form of GELU",
            path);
}

/* llama.cpp's number for the type of most weights. Others of its numbers name mixtures
 * that are not made here. */
static size_t file_type(const Gpt2 *model) {
    static const struct {
        const WeightType *type;
        size_t number;
    } numbers[] = {{&weight_f16, 1},  {&weight_q4_0, 2},  {&weight_q4_1, 3},
                   {&weight_q8_0, 7}, {&weight_q4_k, 14}, {&weight_q6_k, 18},
                   {&weight_bf16, 32}};
    const Weight w = tensor_weight(params_find(&model->params, "h.0.mlp.c_fc.weight"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].type == w.type) return numbers[i].number;
    }
    return 0;
}

static void put_config(GgufWriter *w, const Gpt2 *model) {
    const Gpt2Config *c = &model->config;
    gguf_put_text(w, "general.architecture", "gpt2");
    gguf_put_size(w, "gpt2.block_count", c->n_layer);
    gguf_put_size(w, "gpt2.context_length", c->n_ctx);
    gguf_put_size(w, "gpt2.embedding_length", c->block.d_model);
    gguf_put_size(w, "gpt2.feed_forward_length", c->block.d_ff);
    gguf_put_size(w, "gpt2.attention.head_count", c->block.n_head);
    gguf_put_number(w, "gpt2.attention.layer_norm_epsilon", c->block.norm_eps);
    gguf_put_size(w, "general.file_type", file_type(model));
}

/* Floats of linear layers lie the other way round: a transposed copy, which the caller
 * frees, goes into the file. */
static float *transposed_floats(Weight *w) {
    float *copy = checked_alloc(size_mul(w->rows, w->cols), sizeof *copy);
    Weight turned = weight_transpose(w);
    weight_to_floats(copy, &turned);
    *w = weight_of_floats(copy, turned.rows, turned.cols);
    return copy;
}

void gguf_model_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path) {
    expect_architecture(&model->config, path);
    const Params *params = &model->params;
    GgufWriter *w = gguf_begin(path);
    put_config(w, model);
    if (tokenizer) gguf_put_tokenizer(w, tokenizer);
    float **copies = checked_alloc(params->n, sizeof *copies);
    for (size_t i = 0; i < params->n; i++) {
        const Param *p = &params->items[i];
        const Tensor *x = p->tensor;
        Weight weight =
            x->ndim == 2 ? tensor_weight(x) : weight_of_floats(x->data, 1, x->shape[0]);
        if (gguf_is_transposed(p) && !weight.transposed)
            copies[i] = transposed_floats(&weight);
        char name[NAME];
        gguf_name(name, p->name);
        gguf_add(w, name, x->ndim, &weight);
    }
    gguf_commit(w);
    for (size_t i = 0; i < params->n; i++) free(copies[i]);
    free(copies);
}
