/* LLaMA's family in GGUF files: see llama_gguf.h and, for reading, llama_load.h. */
#include "18-llama/llama_gguf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_tokenizer.h"
#include "18-llama/llama_load.h"
#include "18-llama/permute_rope.h"
#include "18-llama/rope.h"
#include "base/error.h"
#include "base/memory.h"

static const char factors_name[] = "rope_freqs.weight";

/* "llama.context_length" */
static const char *key(char out[LLAMA_NAME], const char *architecture,
                       const char *name) {
    snprintf(out, LLAMA_NAME, "%s.%s", architecture, name);
    return out;
}

/* --- reading --- */

/* Llama 3's scaling: what each frequency is divided by. */
static void read_factors(Rotary *r, const Gguf *file) {
    const GgufTensor *t = gguf_find(file, factors_name);
    if (!t) return;
    if (t->size != r->n_pairs)
        gguf_die(file, t, "has %zu numbers, half a head has %zu", t->size, r->n_pairs);
    float factors[ROTARY_MOST_PAIRS];
    Weight w = gguf_weight(t);
    weight_to_floats(factors, &w);
    for (size_t i = 0; i < r->n_pairs; i++) {
        if (!(factors[i] > 0))
            gguf_die(file, t, "its number %zu is %g, expected more than 0", i,
                     (double)factors[i]);
        r->frequencies[i] /= factors[i];
    }
}

static void check_supported(const Gguf *file, const char *architecture,
                            size_t head_dim) {
    char k[LLAMA_NAME];
    GgufText scaling = gguf_text(file, key(k, architecture, "rope.scaling.type"));
    if (scaling.bytes && !gguf_text_is(scaling, "none"))
        die("file '%s': key '%s' is '%.*s', expected none", file->path, k,
            (int)scaling.bytes, scaling.text);
    static const char *const dims[] = {"rope.dimension_count", "attention.key_length",
                                       "attention.value_length"};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        if (!gguf_has(file, key(k, architecture, dims[i]))) continue;
        size_t n = gguf_size(file, k, 1, GPT2_MAX_WIDTH);
        if (n != head_dim)
            die("file '%s': key '%s' is %zu, expected %zu, the width over the heads",
                file->path, k, n, head_dim);
    }
}

Gpt2Config llama_gguf_config(const Gguf *file) {
    GgufText name = gguf_text(file, "general.architecture");
    bool qwen = gguf_text_is(name, "qwen2");
    if (!qwen && !gguf_text_is(name, "llama"))
        die("file '%s': key 'general.architecture' is '%.*s', expected gpt2, llama or "
            "qwen2",
            file->path, (int)name.bytes, name.text ? name.text : "");
    const char *a = qwen ? "qwen2" : "llama";
    const GgufTensor *table = gguf_find(file, "token_embd.weight");
    if (!table || table->ndim != 2)
        die("file '%s': there is no matrix 'token_embd.weight'", file->path);
    char k[LLAMA_NAME];
    size_t n_ctx = gguf_size(file, key(k, a, "context_length"), 1, GPT2_MAX_CONTEXT),
           n_layer = gguf_size(file, key(k, a, "block_count"), 1, GPT2_MAX_LAYERS),
           n_head =
               gguf_size(file, key(k, a, "attention.head_count"), 1, GPT2_MAX_HEADS),
           d_model = gguf_size(file, key(k, a, "embedding_length"), 1, GPT2_MAX_WIDTH);
    bool shared = gguf_has(file, key(k, a, "attention.head_count_kv"));
    LlamaShape s = {.n_vocab = table->shape[0],
                    .n_ctx = n_ctx,
                    .n_layer = n_layer,
                    .n_head = n_head,
                    .n_kv_head = shared ? gguf_size(file, k, 1, n_head) : n_head,
                    .d_model = d_model,
                    .own_head = gguf_find(file, "output.weight") != NULL,
                    .qkv_bias = gguf_find(file, "blk.0.attn_q.bias") != NULL};
    if (d_model % n_head != 0 || n_head % s.n_kv_head != 0)
        die("file '%s': a width of %zu, %zu heads, %zu for keys: expected multiples",
            file->path, d_model, n_head, s.n_kv_head);
    check_supported(file, a, d_model / n_head);
    s.d_ff = gguf_size(file, key(k, a, "feed_forward_length"), 1, 4 * GPT2_MAX_WIDTH);
    s.eps = (float)gguf_number(file, key(k, a, "attention.layer_norm_rms_epsilon"),
                               1e-12, 1);
    bool has_base = gguf_has(file, key(k, a, "rope.freq_base"));
    s.rope_base = has_base ? (float)gguf_number(file, k, 1, 1e9) : 10000;
    Gpt2Config config = llama_config(&s);
    read_factors(&config.block.rotary, file);
    return config;
}

/* --- writing --- */

static const char *architecture(const Gpt2Config *config, const char *path) {
    const BlockConfig *b = &config->block;
    if (b->norm != NORM_RMS || b->placement != PRE_LN || b->ffn != FFN_SWIGLU ||
        b->residual != RESIDUAL_PLAIN || !b->causal || b->proj_bias || b->ffn_bias ||
        !b->rotary.n_pairs || config->positions != POSITIONS_NONE)
        die("file '%s': this model cannot be saved as GGUF's llama or qwen2: these "
            "have "
            "pre-LN, RMSNorm, SwiGLU, rotary positions, plain residual connections and "
            "biases on q, k and v or none",
            path);
    return b->qkv_bias ? "qwen2" : "llama";
}

static void put_config(GgufWriter *w, const Gpt2Config *c, const char *a) {
    char k[LLAMA_NAME];
    const BlockConfig *b = &c->block;
    gguf_put_text(w, "general.architecture", a);
    gguf_put_size(w, key(k, a, "block_count"), c->n_layer);
    gguf_put_size(w, key(k, a, "context_length"), c->n_ctx);
    gguf_put_size(w, key(k, a, "embedding_length"), b->d_model);
    gguf_put_size(w, key(k, a, "feed_forward_length"), b->d_ff);
    gguf_put_size(w, key(k, a, "attention.head_count"), b->n_head);
    gguf_put_size(w, key(k, a, "attention.head_count_kv"),
                  b->n_kv_head ? b->n_kv_head : b->n_head);
    gguf_put_number(w, key(k, a, "attention.layer_norm_rms_epsilon"), b->norm_eps);
    gguf_put_number(w, key(k, a, "rope.freq_base"), b->rotary.base);
    gguf_put_size(w, key(k, a, "rope.dimension_count"), 2 * b->rotary.n_pairs);
    gguf_put_size(w, key(k, a, "vocab_size"), c->n_vocab);
}

/* What is written must stay until the commit. */
typedef struct {
    GgufWriter *writer;
    void **kept;
    size_t n_kept;
} Saving;

static void *keep(Saving *s, size_t bytes) {
    s->kept = checked_realloc(s->kept, s->n_kept + 1, sizeof *s->kept);
    return s->kept[s->n_kept++] = checked_alloc(bytes, 1);
}

/* Where the frequencies are not those of the base, what they are to be divided by. */
static void put_factors(Saving *s, const BlockConfig *b) {
    const Rotary *r = &b->rotary;
    float plain[ROTARY_MOST_PAIRS], *factors = keep(s, r->n_pairs * sizeof *factors);
    rope_frequencies(plain, b->d_model, b->n_head, r->base);
    if (memcmp(plain, r->frequencies, r->n_pairs * sizeof *plain) == 0) return;
    for (size_t i = 0; i < r->n_pairs; i++) factors[i] = plain[i] / r->frequencies[i];
    Weight w = weight_of_floats(factors, 1, r->n_pairs);
    gguf_add(s->writer, factors_name, 1, &w);
}

/* The matrix of a linear layer with a row for each output: as it is stored, or turned
 * floats; a vector as a column. */
static Weight outputs(Saving *s, const Tensor *x) {
    if (x->ndim == 1) return weight_of_floats(x->data, x->shape[0], 1);
    Weight w = tensor_weight(x), turned = weight_transpose(&w);
    if (w.transposed) return turned;
    float *floats = keep(s, size_mul(turned.rows * turned.cols, sizeof *floats));
    weight_to_floats(floats, &turned);
    return weight_of_floats(floats, turned.rows, turned.cols);
}

/* q, k and v apart, the rows of q and k permuted. */
static void put_qkv(Saving *s, const Param *param, const AttentionConfig *attention,
                    bool permute) {
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    size_t n = llama_names(names, param->name, NAMES_GGUF), at = 0,
           head_dim = attention_head_dim(attention);
    Weight all = outputs(s, param->tensor);
    size_t row_bytes = weight_bytes(&all) / all.rows;
    for (size_t i = 0; i < n; i++) {
        size_t heads = i == 0 ? attention->n_head : attention_kv_heads(attention);
        const char *from = (const char *)all.data + at * row_bytes;
        Weight part = all;
        part.rows = heads * head_dim;
        part.data = from;
        if (permute && i < 2) {
            char *ordered = keep(s, part.rows * row_bytes);
            rope_to_gguf(ordered, from, heads, head_dim, row_bytes);
            part.data = ordered;
        }
        if (param->tensor->ndim == 1) part = weight_transpose(&part);
        part.transposed = false;
        gguf_add(s->writer, names[i], param->tensor->ndim, &part);
        at += heads * head_dim;
    }
}

static void put_param(Saving *s, const Param *param, const AttentionConfig *attention,
                      bool permute) {
    char names[LLAMA_MOST_PARTS][LLAMA_NAME];
    const Tensor *x = param->tensor;
    if (llama_is_qkv(param->name)) {
        put_qkv(s, param, attention, permute);
        return;
    }
    Weight w = llama_is_turned(param->name, x->ndim) ? outputs(s, x)
               : x->ndim == 2                        ? tensor_weight(x)
                              : weight_of_floats(x->data, 1, x->shape[0]);
    llama_names(names, param->name, NAMES_GGUF);
    gguf_add(s->writer, names[0], x->ndim, &w);
}

void llama_gguf_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path) {
    const char *a = architecture(&model->config, path);
    Saving s = {.writer = gguf_begin(path)};
    put_config(s.writer, &model->config, a);
    if (tokenizer) gguf_put_tokenizer(s.writer, tokenizer);
    put_factors(&s, &model->config.block);
    for (size_t i = 0; i < model->params.n; i++)
        put_param(&s, &model->params.items[i], &model->blocks[0].attn.config,
                  strcmp(a, "llama") == 0);
    gguf_commit(s.writer);
    for (size_t i = 0; i < s.n_kept; i++) free(s.kept[i]);
    free(s.kept);
}
