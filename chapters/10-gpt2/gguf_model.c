/* GPT-2 in GGUF files: see gguf_model.h. */
#include "10-gpt2/gguf_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "base/error.h"
#include "base/memory.h"

/* --- names --- */

enum { NAME = 80 };
static const char table_name[] = "token_embd.weight";

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

/* The two tables have a row for each token or position in both formats. */
bool gguf_is_transposed(const Param *p) {
    return p->tensor->ndim == 2 && strncmp(p->name, "h.", 2) == 0;
}

/* --- reading --- */

static Gpt2Config gguf_config(const ModelFile *model_file) {
    const Gguf *file = model_file->gguf;
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

static Weight gguf_param(ModelFile *file, const Gpt2 *model, Param *param) {
    (void)model;
    char name[NAME];
    gguf_name(name, param->name);
    return model_file_weight(file, name, param->tensor, gguf_is_transposed(param));
}

const ModelFormat gguf_format = {
    .config = gguf_config, .weight = gguf_param, .head = "output.weight"};

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
    } numbers[] = {{&weight_f16, 1},   {&weight_q4_0, 2},  {&weight_q4_1, 3},
                   {&weight_q8_0, 7},  {&weight_q5_0, 8},  {&weight_q5_1, 9},
                   {&weight_q4_k, 14}, {&weight_q6_k, 18}, {&weight_bf16, 32}};
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
    Weight transposed = weight_transpose(w);
    weight_to_floats(copy, &transposed);
    *w = weight_of_floats(copy, transposed.rows, transposed.cols);
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
