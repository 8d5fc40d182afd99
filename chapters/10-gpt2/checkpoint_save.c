/* Writing Hugging Face's GPT-2 directories: see checkpoint.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "base/error.h"
#include "base/memory.h"
#include "files/file.h"
#include "files/json.h"

static void expect_huggingface(const Gpt2Config *config) {
    if (!gpt2_is_gpt2(config)) {
        die("this model cannot be saved as a Hugging Face GPT-2: that has pre-LN, "
            "LayerNorm, biases, learned "
            "positions, "
            "plain residual connections and no gate");
    }
}

/* Null where there is none. */
static void add_token(cJSON *c, const char *key, int id) {
    cJSON_AddItemToObject(c, key, id < 0 ? cJSON_CreateNull() : cJSON_CreateNumber(id));
}

/* Without a vocabulary the last token ends and begins a text, as GPT-2 has it. */
static void save_config(const Gpt2Config *config, const Tokenizer *t,
                        Directory *directory) {
    int last = (int)config->n_vocab - 1;
    const BlockConfig *b = &config->block;
    cJSON *c = cJSON_CreateObject();
    cJSON_AddStringToObject(c, "activation_function", ffn_name(b->ffn));
    cJSON_AddItemToObject(
        c, "architectures",
        cJSON_CreateStringArray((const char *const[]){"GPT2LMHeadModel"}, 1));
    json_add_float(c, "attn_pdrop", b->attn_dropout);
    add_token(c, "bos_token_id", t ? tokenizer_begin(t) : last);
    json_add_float(c, "embd_pdrop", config->embd_dropout);
    if (t && t->n_ends > 1)
        cJSON_AddItemToObject(c, "eos_token_id",
                              cJSON_CreateIntArray(t->ends, (int)t->n_ends));
    else
        add_token(c, "eos_token_id", t ? tokenizer_end(t) : last);
    json_add_float(c, "initializer_range", config->init_std);
    json_add_float(c, "layer_norm_epsilon", b->norm_eps);
    cJSON_AddStringToObject(c, "model_type", "gpt2");
    cJSON_AddNumberToObject(c, "n_ctx", (double)config->n_ctx);
    cJSON_AddNumberToObject(c, "n_embd", (double)b->d_model);
    cJSON_AddNumberToObject(c, "n_head", (double)b->n_head);
    cJSON_AddNumberToObject(c, "n_inner", (double)b->d_ff);
    cJSON_AddNumberToObject(c, "n_layer", (double)config->n_layer);
    cJSON_AddNumberToObject(c, "n_positions", (double)config->n_ctx);
    if (t && t->pad >= 0) add_token(c, "pad_token_id", t->pad);
    json_add_float(c, "resid_pdrop", b->resid_dropout);
    cJSON_AddBoolToObject(c, "scale_attn_weights", true);
    cJSON_AddBoolToObject(c, "tie_word_embeddings", true);
    cJSON_AddNumberToObject(c, "vocab_size", (double)config->n_vocab);
    json_print(c, directory_add(directory, "config.json"));
}

static const char weights[] = "model.safetensors";
static const char *const companions[] = GPT2_COMPANIONS;
enum { N_COMPANIONS = sizeof companions / sizeof *companions };

void gpt2_expect_writable(const Directory *directory) {
    directory_expect_writable(directory, weights);
    for (size_t i = 0; i < N_COMPANIONS; i++)
        directory_expect_writable(directory, companions[i]);
}

/* Weights say which files belong to them: "config.json" and its checksum. */
static void add_companions(SafetensorsWriter *w, const Directory *directory) {
    for (size_t i = 0; i < N_COMPANIONS; i++) {
        char checksum[CHECKSUM_TEXT];
        if (directory_checksum(directory, companions[i], checksum))
            safetensors_add_metadata(w, companions[i], checksum);
    }
}

/* Floats that lie the other way round (of a GGUF file), and matrices of 16 bits that
 * lie as here, go as floats. Memory to be freed when they are written. */
static float *add_floats(SafetensorsWriter *w, const Param *p) {
    const Tensor *x = p->tensor;
    float *floats = checked_alloc(tensor_size(x), sizeof *floats);
    weight_to_floats(floats, x->stored);
    safetensors_add(w, p->name, DTYPE_F32, x->ndim, x->shape, floats);
    return floats;
}

static bool goes_as_floats(const Param *p) {
    const Weight *stored = p->tensor->stored;
    return stored->type == &weight_f32 ||
           (gguf_is_transposed(p) && !stored->transposed);
}

/* Other forms go as the bytes that they are, as "NAME.TYPE": chapter 14 reads them. */
static void add_stored(SafetensorsWriter *w, const Param *p) {
    const Weight *stored = p->tensor->stored;
    char name[300];
    snprintf(name, sizeof name, "%s.%s", p->name, stored->type->name);
    safetensors_add(w, name, DTYPE_U8, 1, (size_t[]){weight_bytes(stored)},
                    stored->data);
}

/* What is put in front of a text, where something is (ends.h reads it). */
static void save_additions(const Tokenizer *t, Directory *directory) {
    if (!t->prefix_space && t->bos < 0) return;
    cJSON *root = cJSON_CreateObject();
    if (t->prefix_space) cJSON_AddTrueToObject(root, "add_prefix_space");
    if (t->bos >= 0) {
        size_t n;
        const char *bytes = tokenizer_token(t, t->bos, &n);
        char *text = checked_alloc(n + 1, 1);
        memcpy(text, bytes, n);
        cJSON_AddTrueToObject(root, "add_bos_token");
        cJSON_AddStringToObject(root, "bos_token", text);
        free(text);
    }
    json_print(root, directory_add(directory, "tokenizer_config.json"));
}

void gpt2_save(const Gpt2 *model, const Tokenizer *vocabulary, Directory *directory) {
    expect_huggingface(&model->config);
    save_config(&model->config, vocabulary, directory);
    if (vocabulary) tokenizer_save(vocabulary, directory);
    if (vocabulary) save_additions(vocabulary, directory);
    SafetensorsWriter *w = safetensors_begin(weights);
    safetensors_add_metadata(w, "format", "pt");
    add_companions(w, directory);
    size_t n = model->params.n;
    float **floats = checked_alloc(n, sizeof *floats);
    for (size_t i = 0; i < n; i++) {
        const Param *p = &model->params.items[i];
        if (p->tensor->stored && goes_as_floats(p))
            floats[i] = add_floats(w, p);
        else if (p->tensor->stored)
            add_stored(w, p);
        else
            safetensors_add(w, p->name, DTYPE_F32, p->tensor->ndim, p->tensor->shape,
                            p->tensor->data);
    }
    safetensors_write(w, directory_add(directory, weights));
    for (size_t i = 0; i < n; i++) free(floats[i]);
    free(floats);
}
