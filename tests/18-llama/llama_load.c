/* Tests of models of LLaMA's family: what transformers computes, from every way that
 * they are stored, with the cache and without. */
#include "18-llama/llama_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "13-kv-cache/kv_cache.h"
#include "18-llama/llama_gguf.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "files/file.h"

static const char *const names[] = {"smol", "qwen", "llama3"};
enum { N_MODELS = sizeof names / sizeof *names };

static const char *family_of(const char *name) {
    static char family[64];
    snprintf(family, sizeof family, "llama/%s/golden", name);
    return family;
}

static char *model_path(const char *name) {
    char relative[64];
    snprintf(relative, sizeof relative, "llama/%s", name);
    return checked_strdup(golden_path(relative));
}

static void copy_file(const char *from, const char *name, const char *directory,
                      const char *to) {
    size_t bytes;
    char *data = file_read(path_join(from, name), &bytes);
    put_file(path_join(directory, to), data, bytes);
    free(data);
}

static float *logits_of(const Gpt2 *model, const int *ids, size_t n) {
    Tape t = tape_for_inference();
    Tensor *logits =
        gpt2_logits(&t, model, &(Gpt2Input){.tokens = ids, .batch = 1, .length = n});
    float *copy = checked_alloc(tensor_size(logits), sizeof *copy);
    memcpy(copy, logits->data, tensor_size(logits) * sizeof *copy);
    tape_free(&t);
    return copy;
}

/* The logits of the golden ids, and of each prefix through the cache, to the bit. */
static void check_model(const Gpt2 *model, const char *name, const char *what) {
    const char *family = family_of(name);
    size_t n, n_vocab = model->config.n_vocab;
    const int *ids = golden_int(family, NULL, "ids", &n);
    float *logits = logits_of(model, ids, n);
    CHECK_CLOSE(what, logits, golden(family, NULL, "logits", NULL), n * n_vocab, 1e-4);
    Tape t = tape_for_inference();
    KvCache cache = kv_cache_create(&model->config, 1, n);
    for (size_t at = 0; at < n;) {
        size_t n_new = at == 7 ? 9 : 1; /* one by one, and once some at a time */
        const float *one = kv_cache_logits(&t, model, &cache, ids + at, n_new, &n_new);
        at += n_new;
        CHECK(memcmp(one, logits + (at - 1) * n_vocab, n_vocab * sizeof *one) == 0,
              "%s: with the cache other logits at position %zu", what, at - 1);
    }
    kv_cache_free(&cache);
    tape_free(&t);
    free(logits);
}

/* The ids that transformers writes after the first 8. */
static void check_greedy(const Gpt2 *model, const char *name, bool cached) {
    enum { PROMPT = 8, MOST = 200 };
    size_t n;
    const int *expected = golden_int(family_of(name), NULL, "greedy", &n);
    int tokens[MOST];
    memcpy(tokens, expected, PROMPT * sizeof *tokens);
    GenerateSettings settings = {.sampling = sampling_settings(),
                                 .max_new_tokens = n - PROMPT,
                                 .stop_token = NO_STOP_TOKEN};
    settings.sampling.greedy = true;
    PlainModel plain = plain_model_create(model);
    CachedModel with =
        cached_model_create(model, kv_cache_create(&model->config, 1, n));
    generate(tokens, PROMPT, cached ? cached_model(&with) : plain_model(&plain),
             &settings, NULL, NULL, NULL);
    for (size_t i = PROMPT; i < n; i++)
        CHECK(tokens[i] == expected[i], "%s: token %zu is %d, expected %d", name, i,
              tokens[i], expected[i]);
    plain_model_free(&plain);
    cached_model_free(&with);
}

Test(llama_load, huggingface_directories, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        Gpt2 *model = llama_load(model_path(names[i]), PARAMS_MAPPED);
        check_model(model, names[i], names[i]);
        check_greedy(model, names[i], true);
        check_greedy(model, names[i], false);
        gpt2_free(model);
    }
}

/* rope_theta inside of rope_parameters, as transformers 5 writes it. */
Test(llama_load, the_other_spelling_of_positions, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        char *directory = new_directory(), *from = model_path(names[i]);
        copy_file(from, "config.v5.json", directory, "config.json");
        copy_file(from, "model.safetensors", directory, "model.safetensors");
        Gpt2 *model = llama_load(directory, PARAMS_MAPPED);
        check_model(model, names[i], names[i]);
        gpt2_free(model);
        remove_tree(directory);
    }
}

/* Prepared, or as floats of their own: the same numbers in another order in memory. */
Test(llama_load, the_same_bits_however_stored, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        size_t n;
        const int *ids = golden_int(family_of(names[i]), NULL, "ids", &n);
        Gpt2 *mapped = llama_load(model_path(names[i]), PARAMS_MAPPED),
             *prepared = llama_load(model_path(names[i]), PARAMS_MAPPED),
             *owned = llama_load(model_path(names[i]), PARAMS_TRAIN);
        gpt2_repack(prepared);
        size_t bytes = n * mapped->config.n_vocab * sizeof(float);
        float *a = logits_of(mapped, ids, n), *b = logits_of(prepared, ids, n),
              *c = logits_of(owned, ids, n);
        CHECK(memcmp(a, b, bytes) == 0, "%s: other bits when prepared", names[i]);
        CHECK(memcmp(a, c, bytes) == 0, "%s: other bits of floats in memory", names[i]);
        gpt2_free(mapped), gpt2_free(prepared), gpt2_free(owned);
    }
}

/* --- GGUF --- */

/* llama.cpp's own file: rows of q and k permuted, Llama 3's factors as a tensor. */
Test(llama_load, a_file_of_llama_cpp, .timeout = 60) {
    Gpt2 *model = llama_load(golden_path("llama/llama3/llama_cpp.gguf"), PARAMS_MAPPED);
    check_model(model, "llama3", "llama3 from GGUF");
    check_greedy(model, "llama3", true);
    gpt2_free(model);
}

Test(llama_load, written_and_read, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
            char *directory = new_directory(), *path = path_join(directory, "m.gguf");
            Gpt2 *model = llama_load(model_path(names[i]), mode);
            llama_gguf_save(model, NULL, path);
            Gpt2 *again = llama_load(path, PARAMS_MAPPED);
            check_model(again, names[i], "a model from our GGUF file");
            gpt2_free(model), gpt2_free(again);
            remove_tree(directory);
        }
    }
}

/* llama.cpp's file, loaded and saved, has the same tensors, byte for byte. */
Test(llama_load, llama_cpps_tensors_again, .timeout = 60) {
    const char *from = golden_path("llama/llama3/llama_cpp.gguf");
    char *directory = new_directory(), *path = path_join(directory, "m.gguf");
    Gpt2 *model = llama_load(from, PARAMS_MAPPED);
    llama_gguf_save(model, NULL, path);
    Gguf *theirs = gguf_open(from), *ours = gguf_open(path);
    CHECK(theirs->n_tensors == ours->n_tensors, "%zu tensors, expected %zu",
          ours->n_tensors, theirs->n_tensors);
    for (size_t i = 0; i < theirs->n_tensors; i++) {
        const GgufTensor *a = &theirs->tensors[i], *b = gguf_find(ours, a->name);
        CHECK(b && a->size == b->size, "tensor '%s' is not there", a->name);
        if (strcmp(a->name, "rope_freqs.weight") == 0) {
            CHECK_CLOSE("rope_freqs", (const float *)b->data,
                        as_double(a->data, a->size), a->size, 1e-6);
            continue;
        }
        CHECK(memcmp(a->data, b->data, a->size * sizeof(float)) == 0,
              "tensor '%s' has other bytes", a->name);
    }
    gguf_close(theirs), gguf_close(ours), gpt2_free(model);
    remove_tree(directory);
}

/* --- other directories --- */

/* The model's tensors as `dtype`, those of odd number in a second file. */
static char *directory_of_shards(const char *name, Dtype dtype) {
    char *directory = new_directory(), *from = model_path(name);
    copy_file(from, "config.json", directory, "config.json");
    SafeTensors file = safetensors_open(path_join(from, "model.safetensors"));
    SafetensorsWriter *shards[2];
    char *index = checked_alloc(200 * file.count + 100, 1);
    strcpy(index, "{\"weight_map\": {");
    for (size_t s = 0; s < 2; s++) {
        shards[s] = safetensors_begin(
            path_join(directory, s ? "b.safetensors" : "a.safetensors"));
        for (size_t i = s; i < file.count; i += 2) {
            const SafeTensor *x = &file.tensors[i];
            float *floats = checked_alloc(x->size, sizeof *floats);
            uint16_t *halves = checked_alloc(x->size, sizeof *halves);
            double *doubles = checked_alloc(x->size, sizeof *doubles);
            safetensors_to_float(floats, x);
            for (size_t k = 0; k < x->size; k++) { /* the upper half of a float */
                uint32_t bits;
                memcpy(&bits, &floats[k], sizeof bits);
                halves[k] = (uint16_t)(bits >> 16);
                doubles[k] = (double)floats[k];
            }
            safetensors_add(shards[s], x->name, dtype, x->ndim, x->shape,
                            dtype == DTYPE_BF16  ? (void *)halves
                            : dtype == DTYPE_F64 ? (void *)doubles
                                                 : floats);
            sprintf(index + strlen(index), "\"%s\": \"%c.safetensors\", ", x->name,
                    s ? 'b' : 'a');
        }
        safetensors_commit(shards[s]);
    }
    strcpy(index + strlen(index) - 2, "}}");
    put_file(path_join(directory, "model.safetensors.index.json"), index,
             strlen(index));
    return directory;
}

Test(llama_load, shards, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        for (size_t wide = 0; wide < 2; wide++) {
            char *directory =
                directory_of_shards(names[i], wide ? DTYPE_F64 : DTYPE_F32);
            Gpt2 *model = llama_load(directory, PARAMS_MAPPED);
            check_model(model, names[i],
                        wide ? "a model of doubles" : "a model of two shards");
            gpt2_free(model);
            remove_tree(directory);
        }
    }
}

/* bfloat16 where it lies, and as floats: the same bits. */
Test(llama_load, sixteen_bits, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        char *directory = directory_of_shards(names[i], DTYPE_BF16);
        Gpt2 *mapped = llama_load(directory, PARAMS_MAPPED),
             *floats = llama_load(directory, PARAMS_INFER);
        CHECK(mapped->blocks[0].attn.c_attn.weight->stored &&
                  mapped->blocks[0].mlp.up.weight->stored && mapped->wte->stored,
              "%s: matrices of 16 bits became floats", names[i]);
        size_t n;
        const int *ids = golden_int(family_of(names[i]), NULL, "ids", &n);
        float *a = logits_of(mapped, ids, n), *b = logits_of(floats, ids, n);
        CHECK(memcmp(a, b, n * mapped->config.n_vocab * sizeof *a) == 0,
              "%s: other bits where the numbers are mapped", names[i]);
        gpt2_free(mapped), gpt2_free(floats);
        remove_tree(directory);
    }
}

/* --- weights that others trained --- */

/* SMOLLM2_GGUF names SmolLM2-135M-Instruct as a GGUF file of Q4_1: the same text with
 * the cache, without, and with the weights as the file has them. */
Test(llama_load, smollm2, .timeout = 120) {
    enum { PROMPT = 5, NEW = 24, N = PROMPT + NEW };
    const char *path = getenv("SMOLLM2_GGUF");
    if (!path) cr_skip_test("SMOLLM2_GGUF names no file");
    GenerateSettings settings = {.sampling = sampling_settings(),
                                 .max_new_tokens = NEW,
                                 .stop_token = NO_STOP_TOKEN};
    settings.sampling.greedy = true;
    int texts[3][N];
    for (size_t way = 0; way < 3; way++) {
        /* "The capital of France is" */
        memcpy(texts[way], (int[]){504, 3575, 282, 4649, 314}, PROMPT * sizeof(int));
        Gpt2 *model = llama_load(path, PARAMS_MAPPED);
        CHECK(params_count(&model->params) == 134515008, "%zu parameters",
              params_count(&model->params));
        if (way > 0) gpt2_repack(model);
        PlainModel plain = plain_model_create(model);
        CachedModel cached =
            cached_model_create(model, kv_cache_create(&model->config, 1, N));
        generate(texts[way], PROMPT,
                 way == 2 ? plain_model(&plain) : cached_model(&cached), &settings,
                 NULL, NULL, NULL);
        plain_model_free(&plain), cached_model_free(&cached), gpt2_free(model);
    }
    CHECK(texts[0][PROMPT] == 7042,
          "the first new token is %d, expected 7042, ' Paris'", texts[0][PROMPT]);
    CHECK(memcmp(texts[0], texts[1], sizeof *texts) == 0, "prepared: another text");
    CHECK(memcmp(texts[0], texts[2], sizeof *texts) == 0,
          "without cache: another text");
}

/* --- what is refused --- */

typedef struct {
    const char *model, *from, *to, *message;
} Refusal;

static void load_directory(void *directory) {
    gpt2_free(llama_load(directory, PARAMS_MAPPED));
}

/* The model's directory with one place of its config changed. */
static char *changed_directory(const Refusal *r) {
    char *directory = new_directory(), *from = model_path(r->model);
    copy_file(from, "model.safetensors", directory, "model.safetensors");
    size_t bytes;
    char *config = file_read(path_join(from, "config.json"), &bytes),
         *edited = checked_alloc(bytes + strlen(r->to) + 1, 1);
    char *at = strstr(config, r->from);
    CHECK(at != NULL, "'%s' is not in the config", r->from);
    sprintf(edited, "%.*s%s%s", (int)(at - config), config, r->to,
            at + strlen(r->from));
    put_file(path_join(directory, "config.json"), edited, strlen(edited));
    return directory;
}

static void check_refusal(const Refusal *r) {
    char *directory = changed_directory(r);
    expect_exit(EXIT_INPUT, r->message, load_directory, directory);
    remove_tree(directory);
}

/* Another name of SiLU, and a base above that of all published models. */
Test(llama_load, other_configs, .timeout = 60) {
    char *directory =
             changed_directory(&(Refusal){"smol", "\"silu\"", "\"swish\"", NULL}),
         *far = changed_directory(&(Refusal){"smol", "100000.0", "4e9", NULL});
    check_model(llama_load(directory, PARAMS_MAPPED), "smol", "swish");
    const BlockConfig *block = &llama_load(far, PARAMS_MAPPED)->config.block;
    size_t last = block->rotary.n_pairs - 1;
    CHECK_NUMBER("the last frequency", block->rotary.frequencies[last],
                 pow(4e9, -(double)last / (double)(last + 1)), 1e-6);
    remove_tree(directory);
    remove_tree(far);
}

Test(llama_load, refusals, .timeout = 60) {
    static const Refusal all[] = {
        {"smol", "\"model_type\": \"llama\"", "\"model_type\": \"gemma\"", "'gemma'"},
        {"smol", "\"hidden_act\": \"silu\"", "\"hidden_act\": \"gelu\"", "'gelu'"},
        {"smol", "\"head_dim\": 8", "\"head_dim\": 16", "\"head_dim\" is 16"},
        {"smol", "\"num_key_value_heads\": 3", "\"num_key_value_heads\": 4",
         "not a multiple"},
        {"smol", "\"num_key_value_heads\": 3", "\"num_key_value_heads\": 9",
         "the config asks for"},
        {"smol", "\"num_hidden_layers\": 4", "\"num_hidden_layers\": 5",
         "asks for 5 layers"},
        {"smol", "\"num_hidden_layers\": 4", "\"num_hidden_layers\": 3",
         "has no such tensor"},
        {"smol", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false",
         "'lm_head.weight' is missing"},
        {"qwen", "\"tie_word_embeddings\": false", "\"tie_word_embeddings\": true",
         "differs from"},
        {"qwen", "\"use_sliding_window\": false", "\"use_sliding_window\": true",
         "use_sliding_window"},
        {"smol", "\"attention_bias\": false", "\"attention_bias\": true",
         "q_proj.bias' is missing"},
        {"llama3", "\"rope_type\": \"llama3\"", "\"rope_type\": \"yarn\"", "'yarn'"},
        {"llama3", "\"low_freq_factor\": 1.0", "\"low_freq_factor\": 4.0", "less than"},
        {"llama3", "\"rope_type\": \"llama3\",", "", "without a \"rope_type\""},
        {"llama3", "{", "{\"rope_parameters\": {\"rope_theta\": 7.0},",
         "differs between \"rope_parameters\""},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) check_refusal(&all[i]);
}

static void load_as_gpt2(void *path) {
    gpt2_free(gpt2_load(path, PARAMS_MAPPED));
}

/* Earlier programs say where such a model can be read. */
Test(llama_load, chapter_10_names_run_18, .timeout = 20) {
    expect_exit(EXIT_INPUT, "run-18", load_as_gpt2, model_path("smol"));
    expect_exit(EXIT_INPUT, "run-18", load_as_gpt2,
                checked_strdup(golden_path("llama/llama3/llama_cpp.gguf")));
}

static void make_without_hooks(void *nothing) {
    (void)nothing;
    Params params = {.mode = PARAMS_INFER};
    AttentionConfig config = {.d_model = 8, .n_head = 4, .n_kv_head = 2};
    attention_create(&params, NULL, &config, 0, 0, "attn");
}

Test(llama_load, shared_keys_need_their_hooks, .timeout = 20) {
    expect_exit(EXIT_INPUT, "chapter 18's", make_without_hooks, NULL);
}
