/* config.json of LLaMA's family: see llama_load.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "18-llama/llama_load.h"
#include "base/error.h"
#include "files/file.h"
#include "files/json.h"

/* A config and where it came from, for messages. */
typedef struct {
    const cJSON *object;
    const char *path;
} Config;

static size_t needed(const Config *c, const char *key, size_t max) {
    return json_needed_size(c->object, c->path, key, max);
}

/* Absent or null, as Hugging Face's configs have it: `fallback`. */
static size_t optional(const Config *c, const char *key, size_t fallback, size_t max) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(c->object, key);
    if (cJSON_IsNull(item)) return fallback;
    return json_size(c->object, c->path, key, fallback, 1, max);
}

static void refuse(const Config *c, const char *key) {
    if (json_bool(c->object, c->path, key, false))
        die("file '%s': \"%s\" is true, which is not supported", c->path, key);
}

/* An object in the config, NULL where it is absent, null or empty. */
static const cJSON *part(const Config *c, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(c->object, key);
    return item && item->child ? item : NULL;
}

static float positive(const cJSON *object, const Config *c, const char *key) {
    if (!cJSON_GetObjectItemCaseSensitive(object, key))
        die("file '%s': \"%s\" is missing", c->path, key);
    return (float)json_number(object, c->path, key, 0, 1e-6, 1e9);
}

/* Where "rope_theta" stands. Beside "rope_scaling" transformers 5 does not look into
 * "rope_parameters", which earlier versions do not either: two bases are refused. */
static const cJSON *theta_of(const Config *c, const cJSON *parameters,
                             const cJSON *scaling) {
    static const char key[] = "rope_theta";
    const cJSON *places[] = {scaling, c->object}, *inner = NULL, *holder = c->object;
    if (parameters) inner = cJSON_GetObjectItemCaseSensitive(parameters, key);
    if (inner && !scaling) return parameters;
    for (size_t i = 2; i-- > 0;)
        if (places[i] && cJSON_GetObjectItemCaseSensitive(places[i], key))
            holder = places[i];
    if (inner && json_number(holder, c->path, key, 10000, 1, 1e15) !=
                     json_number(parameters, c->path, key, 10000, 1, 1e15))
        die("file '%s': \"rope_theta\" differs between \"rope_parameters\" and what "
            "counts beside \"rope_scaling\"",
            c->path);
    return holder;
}

/* "rope_theta" and "rope_scaling" at the top, as published configs have them, or both
 * in "rope_parameters"; of both "rope_scaling" counts. */
static void read_rotary(BlockConfig *block, const Config *c) {
    const cJSON *parameters = part(c, "rope_parameters"),
                *above = part(c, "rope_scaling"), *scaling = above ? above : parameters;
    const cJSON *holder = theta_of(c, parameters, above);
    rotary_set(block,
               (float)json_number(holder, c->path, "rope_theta", 10000, 1, 1e15));
    if (!scaling) return;
    const char *key =
        cJSON_GetObjectItemCaseSensitive(scaling, "rope_type") ? "rope_type" : "type";
    if (!cJSON_GetObjectItemCaseSensitive(scaling, key) &&
        cJSON_GetObjectItemCaseSensitive(scaling, "factor"))
        die("file '%s': a \"factor\" of rotary positions without a \"rope_type\"",
            c->path);
    const char *type = json_text(scaling, c->path, key, "default");
    if (strcmp(type, "default") == 0) return;
    if (strcmp(type, "linear") == 0) {
        rotary_interpolate(&block->rotary, positive(scaling, c, "factor"));
        return;
    }
    if (strcmp(type, "llama3") != 0)
        die("file '%s': \"%s\" is '%s', expected default, linear or llama3", c->path,
            key, type);
    float low = positive(scaling, c, "low_freq_factor"),
          high = positive(scaling, c, "high_freq_factor");
    if (!(low < high))
        die("file '%s': \"low_freq_factor\" is %g, expected less than "
            "\"high_freq_factor\", %g",
            c->path, (double)low, (double)high);
    size_t original = json_size(scaling, c->path, "original_max_position_embeddings", 0,
                                1, GPT2_MAX_CONTEXT);
    if (!original)
        die("file '%s': \"original_max_position_embeddings\" is missing", c->path);
    rotary_scale(&block->rotary, positive(scaling, c, "factor"), low, high, original);
}

static void check_supported(const Config *c, const BlockConfig *block) {
    const char *act = json_text(c->object, c->path, "hidden_act", "silu");
    if (strcmp(act, "silu") != 0 && strcmp(act, "swish") != 0)
        die("file '%s': \"hidden_act\" is '%s', expected 'silu'", c->path, act);
    size_t head_dim = block->d_model / block->n_head,
           given = optional(c, "head_dim", head_dim, GPT2_MAX_WIDTH);
    if (given != head_dim)
        die("file '%s': \"head_dim\" is %zu, expected \"hidden_size\" / "
            "\"num_attention_heads\", %zu",
            c->path, given, head_dim);
    refuse(c, "use_sliding_window");
    refuse(c, "rope_interleaved");
    if (part(c, "quantization_config"))
        die("file '%s': \"quantization_config\" is not supported", c->path);
}

static void expect_multiple(const Config *c, const char *key, size_t value,
                            const char *of, size_t divisor) {
    if (value % divisor != 0)
        die("file '%s': \"%s\" %zu is not a multiple of \"%s\" %zu", c->path, key,
            value, of, divisor);
}

static Gpt2Config read_object(const Config *c, bool qwen) {
    const cJSON *o = c->object;
    Gpt2Config config =
        gpt2_config(needed(c, "vocab_size", GPT2_MAX_VOCAB),
                    needed(c, "max_position_embeddings", GPT2_MAX_CONTEXT),
                    needed(c, "num_hidden_layers", GPT2_MAX_LAYERS),
                    needed(c, "num_attention_heads", GPT2_MAX_HEADS),
                    needed(c, "hidden_size", GPT2_MAX_WIDTH));
    BlockConfig *block = &config.block;
    block->n_kv_head =
        optional(c, "num_key_value_heads", block->n_head, GPT2_MAX_HEADS);
    expect_multiple(c, "hidden_size", block->d_model, "num_attention_heads",
                    block->n_head);
    expect_multiple(c, "num_attention_heads", block->n_head, "num_key_value_heads",
                    block->n_kv_head);
    check_supported(c, block);
    block->d_ff = needed(c, "intermediate_size", 4 * GPT2_MAX_WIDTH);
    block->norm = NORM_RMS;
    block->norm_eps = (float)json_number(o, c->path, "rms_norm_eps", 1e-6, 1e-12, 1);
    block->ffn = FFN_SWIGLU;
    bool attention = !qwen && json_bool(o, c->path, "attention_bias", false);
    block->qkv_bias = qwen || attention;
    block->proj_bias = attention;
    block->ffn_bias = !qwen && json_bool(o, c->path, "mlp_bias", false);
    block->attn_dropout =
        (float)json_number(o, c->path, "attention_dropout", 0, 0, 0.99);
    config.positions = POSITIONS_NONE;
    config.init_std = (float)json_number(o, c->path, "initializer_range", 0.02, 0, 10);
    config.own_head = !json_bool(o, c->path, "tie_word_embeddings", false);
    read_rotary(block, c);
    return config;
}

Gpt2Config llama_read_config(const char *directory) {
    char *path = path_join(directory, "config.json");
    cJSON *object = json_read_object(path);
    const char *type = json_text(object, path, "model_type", "");
    bool qwen = strcmp(type, "qwen2") == 0;
    if (!qwen && strcmp(type, "llama") != 0)
        die("file '%s': \"model_type\" is '%s', expected 'llama' or 'qwen2'", path,
            type);
    Gpt2Config config = read_object(&(Config){object, path}, qwen);
    cJSON_Delete(object);
    free(path);
    return config;
}

bool llama_is(const char *path) {
    if (gguf_is_file(path)) {
        Gguf *file = gguf_open(path);
        bool gpt2 = gguf_text_is(gguf_text(file, "general.architecture"), "gpt2");
        gguf_close(file);
        return !gpt2;
    }
    char *config = path_join(path, "config.json");
    bool is = false;
    if (access(config, F_OK) == 0) {
        cJSON *object = json_read_object(config);
        is = strcmp(json_text(object, config, "model_type", "gpt2"), "gpt2") != 0;
        cJSON_Delete(object);
    }
    free(config);
    return is;
}
