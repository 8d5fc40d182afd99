/* Tests of Hugging Face directories of LLaMA's family: what is written is read as the
 * same model, to the bit, from wherever it came. */
#include "18-llama/llama_save.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "18-llama/llama_gguf.h"
#include "18-llama/llama_load.h"
#include "18-llama/llama_split.h"
#include "18-llama/llama_tokenizer.h"
#include "base/error.h"
#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/golden.h"
#include "check/remove_tree.h"
#include "files/file.h"
#include "files/json.h"

static const char *const names[] = {"smol", "qwen", "llama3"};
enum { N_MODELS = sizeof names / sizeof *names };

static char *golden_model(const char *name) {
    char relative[64];
    snprintf(relative, sizeof relative, "llama/%s", name);
    return checked_strdup(golden_path(relative));
}

static void save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path) {
    Directory *d = directory_open(path);
    llama_save(model, tokenizer, d);
    directory_close(d);
}

/* The tensors of both directories have the same names, shapes and bytes. */
static void check_tensors(const char *left, const char *right) {
    SafeTensors a = safetensors_open(path_join(left, "model.safetensors")),
                b = safetensors_open(path_join(right, "model.safetensors"));
    CHECK(a.count == b.count, "%zu tensors, expected %zu", b.count, a.count);
    for (size_t i = 0; i < a.count; i++) {
        const SafeTensor *x = &a.tensors[i], *y = &b.tensors[i];
        CHECK(strcmp(x->name, y->name) == 0 && x->dtype == y->dtype &&
                  x->ndim == y->ndim && x->shape[0] == y->shape[0] &&
                  x->bytes == y->bytes && memcmp(x->data, y->data, x->bytes) == 0,
              "tensor '%s' is '%s' now, or has other bytes", x->name, y->name);
    }
    safetensors_close(&a), safetensors_close(&b);
}

/* The settings in the config of transformers, and in ours. */
static void check_config(const char *left, const char *right) {
    static const char *const same[] = {"architectures",
                                       "attention_bias",
                                       "head_dim",
                                       "hidden_act",
                                       "hidden_size",
                                       "intermediate_size",
                                       "max_position_embeddings",
                                       "mlp_bias",
                                       "model_type",
                                       "num_attention_heads",
                                       "num_hidden_layers",
                                       "num_key_value_heads",
                                       "rms_norm_eps",
                                       "rope_scaling",
                                       "rope_theta",
                                       "tie_word_embeddings",
                                       "vocab_size"};
    cJSON *a = json_read_object(path_join(left, "config.json")),
          *b = json_read_object(path_join(right, "config.json"));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        const cJSON *x = cJSON_GetObjectItemCaseSensitive(a, same[i]),
                    *y = cJSON_GetObjectItemCaseSensitive(b, same[i]);
        if (!x) continue;
        CHECK(y && cJSON_Compare(x, y, true), "\"%s\": is %s, expected %s", same[i],
              y ? cJSON_PrintUnformatted(y) : "missing", cJSON_PrintUnformatted(x));
    }
    cJSON_Delete(a), cJSON_Delete(b);
}

Test(llama_save, as_transformers_wrote_it, .timeout = 60) {
    for (size_t i = 0; i < N_MODELS; i++) {
        for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
            char *from = golden_model(names[i]), *to = new_directory();
            Gpt2 *model = llama_load(from, mode);
            save(model, NULL, to);
            check_tensors(from, to);
            check_config(from, to);
            gpt2_free(llama_load(to, PARAMS_TRAIN)), gpt2_free(model);
            remove_tree(to);
        }
    }
}

/* As a kill leaves it between the journal and the renames. */
static void interrupt_save(const char *directory) {
    static const char *const files[] = {"config.json", "model.safetensors"};
    char *journal_path = path_join(directory, ".unfinished-save");
    FileWriter journal = file_begin(journal_path);
    for (size_t i = 0; i < 2; i++) {
        char temporary[40];
        snprintf(temporary, sizeof temporary, "%s.new", files[i]);
        CHECK(rename(path_join(directory, files[i]), path_join(directory, temporary)) ==
                  0,
              "cannot rename %s", files[i]);
        file_write(&journal, temporary, strlen(temporary) + 1);
        file_write(&journal, files[i], strlen(files[i]) + 1);
    }
    file_commit(&journal);
    free(journal_path);
}

Test(llama_save, an_interrupted_save_is_finished, .timeout = 60) {
    char *from = golden_model("smol"), *to = new_directory();
    Gpt2 *model = llama_load(from, PARAMS_INFER);
    save(model, NULL, to);
    interrupt_save(to);
    Gpt2 *again = llama_load(to, PARAMS_INFER);
    for (size_t i = 0; i < model->params.n; i++) {
        const Tensor *x = model->params.items[i].tensor,
                     *y = again->params.items[i].tensor;
        CHECK(memcmp(x->data, y->data, tensor_size(x) * sizeof *x->data) == 0,
              "'%s' has other numbers", x->name);
    }
    remove_tree(to);
}

/* Hugging Face -> GGUF -> Hugging Face; and llama.cpp's own GGUF file, where Llama 3's
 * scaling is a table and becomes words again. */
Test(llama_save, through_gguf, .timeout = 60) {
    for (size_t i = 0; i <= N_MODELS; i++) {
        bool theirs = i == N_MODELS;
        char *from = golden_model(theirs ? "llama3" : names[i]), *to = new_directory(),
             *path = theirs ? checked_strdup(golden_path("llama/llama3/llama_cpp.gguf"))
                            : path_join(to, "m.gguf");
        if (!theirs) {
            Gpt2 *model = llama_load(from, PARAMS_MAPPED);
            llama_gguf_save(model, NULL, path);
            gpt2_free(model);
        }
        Gpt2 *model = llama_load(path, PARAMS_MAPPED);
        save(model, NULL, to);
        check_tensors(from, to);
        check_config(from, to);
        gpt2_free(model);
        remove_tree(to);
    }
}

/* --- scaling and biases that the golden models do not have --- */

static Gpt2Config small_config(void) {
    Gpt2Config c = llama_config(&(LlamaShape){.n_vocab = 300,
                                              .n_ctx = 32,
                                              .n_layer = 2,
                                              .n_head = 4,
                                              .n_kv_head = 2,
                                              .d_model = 32,
                                              .d_ff = 64,
                                              .rope_base = 10000,
                                              .eps = 1e-5f});
    c.init_std = 0.3f;
    return c;
}

static Gpt2 *random_model(const Gpt2Config *config) {
    Random init = random_create(5);
    return gpt2_create(config, PARAMS_INFER, &init);
}

static float *logits_of(const Gpt2 *model) {
    static const int ids[] = {3, 1, 299, 1, 5, 9, 2, 6, 5, 35, 8, 97, 93, 2, 3, 8};
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = ids, .batch = 1, .length = 16};
    const float *logits = gpt2_logits(&t, model, &input)->data;
    float *copy = checked_alloc(16 * 300, sizeof *copy);
    memcpy(copy, logits, 16 * 300 * sizeof *copy);
    tape_free(&t);
    return copy;
}

static void check_same_logits(const Gpt2 *model, const char *path, const char *what) {
    Gpt2 *again = llama_load(path, PARAMS_MAPPED);
    float *before = logits_of(model), *after = logits_of(again);
    CHECK(memcmp(before, after, 16 * 300 * sizeof *after) == 0,
          "%s: other logits when loaded again", what);
    free(before), free(after), gpt2_free(again);
}

static void check_both_files(const Gpt2Config *config, const char *what, bool gguf) {
    char *directory = new_directory(), *file = path_join(directory, "m.gguf");
    Gpt2 *model = random_model(config);
    save(model, NULL, directory);
    check_same_logits(model, directory, what);
    if (gguf) {
        llama_gguf_save(model, NULL, file);
        check_same_logits(model, file, what);
    }
    gpt2_free(model);
    remove_tree(directory);
}

Test(llama_save, settings_of_a_config, .timeout = 60) {
    Gpt2Config plain = small_config(), linear = plain, qwen = plain, biased = plain,
               own = plain;
    check_both_files(&plain, "plain", true);
    rotary_interpolate(&linear.block.rotary, 3);
    check_both_files(&linear, "position interpolation", true);
    qwen.block.qkv_bias = true;
    rotary_interpolate(&qwen.block.rotary, 2);
    check_both_files(&qwen, "biases on q, k and v", true);
    block_set_biases(&biased.block, true);
    check_both_files(&biased, "all biases", false); /* GGUF's llama has none */
    own.own_head = true;
    check_both_files(&own, "a head of its own", true);
}

/* --- numbers of 16 bits, and of blocks --- */

static void store(Gpt2 *model, const WeightType *type, const char *suffix) {
    for (size_t i = 0; i < model->params.n; i++) {
        Param *p = &model->params.items[i];
        if (p->tensor->ndim != 2 || !strstr(p->name, suffix)) continue;
        Weight w = {
            .type = type, .rows = p->tensor->shape[1], .cols = p->tensor->shape[0]};
        char *data = checked_alloc(weight_bytes(&w), 1);
        memset(data, 0x3c, weight_bytes(&w)); /* numbers near 1 in all types */
        w.data = data;
        w = weight_transpose(&w);
        params_store(p, &w);
    }
}

Test(llama_save, types_of_numbers, .timeout = 60) {
    static const struct {
        const WeightType *type;
        Dtype dtype;
        const char *said;
    } cases[] = {{&weight_f16, DTYPE_F16, "float16"},
                 {&weight_bf16, DTYPE_BF16, "bfloat16"},
                 {&weight_q8_0, DTYPE_F32, "float32"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Gpt2Config config = small_config();
        char *directory = new_directory();
        Gpt2 *model = random_model(&config);
        store(model, cases[i].type, "mlp.c_fc");
        save(model, NULL, directory);
        SafeTensors file = safetensors_open(path_join(directory, "model.safetensors"));
        const SafeTensor *x =
            safetensors_find(&file, "model.layers.1.mlp.up_proj.weight");
        CHECK(x && x->dtype == cases[i].dtype, "%s became %s", cases[i].type->name,
              x ? dtype_name(x->dtype) : "nothing");
        safetensors_close(&file);
        check_same_logits(model, directory, cases[i].type->name);
        gpt2_free(model);
        remove_tree(directory);
    }
}

/* --- what is refused --- */

static void save_config(void *config) {
    save(random_model(config), NULL, new_directory());
}

Test(llama_save, refusals, .timeout = 60) {
    Gpt2Config gpt2 = gpt2_config(300, 32, 2, 4, 32), half = small_config(),
               strange = small_config();
    expect_exit(EXIT_INPUT, "cannot be saved as LlamaForCausalLM", save_config, &gpt2);
    half.block.proj_bias = true;
    expect_exit(EXIT_INPUT, "cannot be saved as LlamaForCausalLM", save_config, &half);
    strange.block.rotary.frequencies[1] *= 0.7f;
    expect_exit(EXIT_INPUT, "no words for its rotary frequencies", save_config,
                &strange);
}

/* --- the pieces --- */

/* q, k and v of a fused matrix, and GGUF's order of their rows. */
Test(llama_split, rows_of_q_k_and_v, .timeout = 20) {
    Gpt2Config config = small_config();
    Gpt2 *model = random_model(&config);
    const AttentionConfig *attention = &model->blocks[1].attn.config;
    const Param *param = NULL;
    for (size_t i = 0; i < model->params.n; i++) {
        if (strcmp(model->params.items[i].name, "h.1.attn.c_attn.weight") == 0)
            param = &model->params.items[i];
    }
    static const char *const expected[] = {"blk.1.attn_q.weight", "blk.1.attn_k.weight",
                                           "blk.1.attn_v.weight"};
    enum { WIDTH = 32, DIM = 8, ALL = (4 + 2 + 2) * DIM };
    for (int permute = 0; permute < 2; permute++) {
        Piece pieces[LLAMA_MOST_PARTS];
        Kept kept = {0};
        size_t at = 0,
               n = llama_split(pieces, &kept, param, attention, NAMES_GGUF, permute);
        CHECK(n == 3, "%zu pieces", n);
        for (size_t i = 0; i < 3; i++) {
            const Piece *p = &pieces[i];
            size_t rows = (i == 0 ? 4 : 2) * DIM;
            CHECK(strcmp(p->name, expected[i]) == 0 && p->ndim == 2 &&
                      p->weight.rows == rows && p->weight.cols == WIDTH,
                  "'%s' [%zu, %zu]", p->name, p->weight.rows, p->weight.cols);
            for (size_t r = 0; r < rows; r++) {
                size_t in_head = r % DIM, pair = in_head / 2,
                       from =
                           permute && i < 2 ? r - in_head + pair + in_head % 2 * 4 : r;
                for (size_t c = 0; c < WIDTH; c++)
                    CHECK(((const float *)p->weight.data)[r * WIDTH + c] ==
                              param->tensor->data[c * ALL + at + from],
                          "'%s': row %zu is not row %zu", p->name, r, from);
            }
            at += rows;
        }
        kept_free(&kept);
    }
    gpt2_free(model);
}
