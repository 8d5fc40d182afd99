/* LLaMA's family in GGUF files: see llama_gguf.h and, for reading, llama_load.h. */
#include "18-llama/llama_gguf.h"

#include <stdio.h>
#include <string.h>

#include "10-gpt2/gguf_tokenizer.h"
#include "18-llama/llama_load.h"
#include "18-llama/llama_split.h"
#include "18-llama/rope.h"
#include "base/error.h"

static const char factors_name[] = "rope_freqs.weight";

/* "llama.context_length" */
static const char *key(char out[LLAMA_NAME], const char *architecture,
                       const char *name) {
    snprintf(out, LLAMA_NAME, "%s.%s", architecture, name);
    return out;
}

/* --- reading --- */

/* By the key of today or that of 2023; a factor without a type is linear, and without
 * a factor, or with 0, nothing is stretched. */
static double linear_factor(const Gguf *file, const char *architecture) {
    static const char *const names[] = {"rope.scaling.factor", "rope.scale_linear"};
    char k[LLAMA_NAME];
    for (size_t i = 0; i < 2; i++) {
        if (!gguf_has(file, key(k, architecture, names[i]))) continue;
        double factor = gguf_number(file, k, 0, 1e9);
        return factor > 0 ? factor : 1;
    }
    return 1;
}

/* How the frequencies were stretched: position interpolation, or Llama 3's scaling as
 * what each of them is divided by. */
static void read_scaling(Rotary *r, const Gguf *file, const char *architecture) {
    char k[LLAMA_NAME];
    GgufText type = gguf_text(file, key(k, architecture, "rope.scaling.type"));
    bool linear = gguf_text_is(type, "linear") || !type.bytes;
    if (type.bytes && !linear && !gguf_text_is(type, "none"))
        die("file '%s': key '%s' is '%.*s', expected none or linear", file->path, k,
            (int)type.bytes, type.text);
    double factor = linear ? linear_factor(file, architecture) : 1;
    linear = factor != 1;
    if (linear) rotary_interpolate(r, (float)factor);
    if (gguf_has(file, key(k, architecture, "rope.scaling.attn_factor")) &&
        gguf_number(file, k, -1e9, 1e9) != 1)
        die("file '%s': key '%s' is not 1, which is not supported", file->path, k);
    const GgufTensor *t = gguf_find(file, factors_name);
    if (!t) return;
    if (linear) gguf_die(file, t, "and key '%s': expected one of them", k);
    if (t->size != r->n_pairs)
        gguf_die(file, t, "has %zu numbers, half a head has %zu", t->size, r->n_pairs);
    float factors[ROTARY_MOST_PAIRS];
    Weight w = gguf_weight(t);
    weight_to_floats(factors, &w);
    for (size_t i = 0; i < r->n_pairs; i++) {
        if (!(factors[i] > 0))
            gguf_die(file, t, "its number %zu is %g, expected more than 0", i,
                     (double)factors[i]);
    }
    rotary_divide(r, factors);
}

static void check_supported(const Gguf *file, const char *architecture,
                            size_t head_dim) {
    char k[LLAMA_NAME];
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
    s.rope_base = has_base ? (float)gguf_number(file, k, 1, 1e15) : 10000;
    Gpt2Config config = llama_config(&s);
    read_scaling(&config.block.rotary, file, a);
    return config;
}

/* --- writing --- */

static const char *architecture(const Gpt2Config *config, const char *path) {
    const BlockConfig *b = &config->block;
    if (!llama_is_family(config) || b->proj_bias || b->ffn_bias)
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

/* Where the frequencies are not those of the base: how they were stretched, or what
 * each is to be divided by. */
static void put_scaling(GgufWriter *w, Kept *kept, const BlockConfig *b,
                        const char *a) {
    char k[LLAMA_NAME];
    const Rotary *r = &b->rotary;
    if (r->factor > 0 && r->high == 0) {
        gguf_put_text(w, key(k, a, "rope.scaling.type"), "linear");
        gguf_put_number(w, key(k, a, "rope.scaling.factor"), r->factor);
        return;
    }
    float plain[ROTARY_MOST_PAIRS],
        *factors = kept_alloc(kept, r->n_pairs * sizeof *factors);
    rope_frequencies(plain, b->d_model, b->n_head, r->base);
    if (memcmp(plain, r->frequencies, r->n_pairs * sizeof *plain) == 0) return;
    for (size_t i = 0; i < r->n_pairs; i++) factors[i] = plain[i] / r->frequencies[i];
    Weight divisors = weight_of_floats(factors, 1, r->n_pairs);
    gguf_add(w, factors_name, 1, &divisors);
}

void llama_gguf_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path) {
    const char *a = architecture(&model->config, path);
    GgufWriter *w = gguf_begin(path);
    Kept kept = {0};
    put_config(w, &model->config, a);
    if (tokenizer) gguf_put_tokenizer(w, tokenizer);
    put_scaling(w, &kept, &model->config.block, a);
    for (size_t i = 0; i < model->params.n; i++) {
        Piece pieces[LLAMA_MOST_PARTS];
        size_t n = llama_split(pieces, &kept, &model->params.items[i],
                               &model->blocks[0].attn.config, NAMES_GGUF,
                               strcmp(a, "llama") == 0);
        for (size_t k = 0; k < n; k++)
            gguf_add(w, pieces[k].name, pieces[k].ndim, &pieces[k].weight);
    }
    gguf_commit(w);
    kept_free(&kept);
}
