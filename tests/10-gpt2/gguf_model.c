/* GPT-2 in GGUF files: one that llama.cpp's converter wrote gives the logits of another
 * implementation, one that is written here says the same as the model. GGUF_ORACLE
 * names a directory with more of the former. */
#include "10-gpt2/gguf_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/model_tokenizer.h"
#include "check/remove_tree.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "files/file.h"
#include "check/golden.h"
#include "base/memory.h"

static char *const path = scratch_file;
TestSuite(gguf_model, .init = scratch_begin, .fini = scratch_end, .timeout = 60);

/* The logits of the golden ids [32] in new memory. */
static float *logits_of(const Gpt2 *model) {
    size_t n;
    const int *ids = golden_int("gguf/logits", NULL, "ids", &n);
    Tape t = tape_for_inference();
    const float *logits =
        gpt2_logits(&t, model, &(Gpt2Input){.tokens = ids, .batch = 1, .length = n})
            ->data;
    float *copy = checked_alloc(n * model->config.n_vocab, sizeof *copy);
    memcpy(copy, logits, n * model->config.n_vocab * sizeof *copy);
    tape_free(&t);
    return copy;
}

/* The root of the mean squared difference, divided by that of the expected numbers. */
static double relative_error(const float *got, const float *expected, size_t n) {
    double off = 0, all = 0;
    for (size_t i = 0; i < n; i++) {
        off += pow((double)got[i] - (double)expected[i], 2);
        all += (double)expected[i] * (double)expected[i];
    }
    return sqrt(off / all);
}

Test(gguf_model, llama_cpps_file_gives_its_logits) {
    size_t n;
    const float *expected = golden_float("gguf/logits", NULL, "logits", &n);
    float *first = NULL;
    for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
        Gpt2 *model = gpt2_load(golden_path("gguf/tiny-q4_0.gguf"), mode);
        float *got = logits_of(model);
        double off = relative_error(got, expected, n);
        CHECK(off < 1e-5, "mode %d: the logits are off by %.2g of their size",
              (int)mode, off);
        if (!first) first = got;
        CHECK(memcmp(got, first, n * sizeof *got) == 0,
              "mode %d: other bits than mode 0", (int)mode);
        if (got != first) free(got);
        gpt2_repack(model);
        got = logits_of(model);
        CHECK(memcmp(got, first, n * sizeof *got) == 0, "mode %d: other bits in panels",
              (int)mode);
        free(got);
        gpt2_free(model);
    }
    free(first);
}

/* All kinds of files, where there are some. */
Test(gguf_model, every_type_of_llama_cpp) {
    static const struct {
        const char *type;
        double most;
    } files[] = {{"f32", 0.001}, {"f16", 0.002}, {"q8_0", 0.03},
                 {"q4_0", 0.03}, {"q4_k", 0.03}, {"q6_k", 0.03}};
    const char *directory = getenv("GGUF_ORACLE");
    if (!directory) cr_skip_test("GGUF_ORACLE names no directory");
    char *name = path_join(directory, "logits.safetensors");
    SafeTensors golden_logits = safetensors_open(name);
    free(name);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char file[40], tensor[40];
        snprintf(file, sizeof file, "tiny-%s.gguf", files[i].type);
        snprintf(tensor, sizeof tensor, "logits.%s", files[i].type);
        const SafeTensor *expected = safetensors_find(&golden_logits, tensor);
        float *numbers = checked_alloc(expected->size, sizeof *numbers);
        safetensors_to_float(numbers, expected);
        name = path_join(directory, file);
        Gpt2 *model = gpt2_load(name, PARAMS_MAPPED);
        float *got = logits_of(model);
        double off = relative_error(got, numbers, expected->size);
        CHECK(off < files[i].most, "%s: the logits are off by %.4f of their size", file,
              off);
        gpt2_free(model);
        free(got);
        free(numbers);
        free(name);
    }
    safetensors_close(&golden_logits);
}

Test(gguf_model, a_saved_model_is_the_same) {
    Gpt2 *model = gpt2_load(golden_path("gguf/tiny-q4_0.gguf"), PARAMS_MAPPED);
    Tokenizer *tokenizer =
        model_tokenizer(NULL, golden_path("gguf/tiny-q4_0.gguf"), 288);
    gguf_model_save(model, tokenizer, path);
    Gguf *theirs = gguf_open(golden_path("gguf/tiny-q4_0.gguf")),
         *ours = gguf_open(path);
    CHECK(ours->n_tensors + 1 == theirs->n_tensors,
          "%zu tensors; all but the copy of the table: %zu", ours->n_tensors,
          theirs->n_tensors - 1);
    for (size_t i = 0; i < ours->n_tensors; i++) {
        const GgufTensor *a = &ours->tensors[i], *b = gguf_find(theirs, a->name);
        CHECK(b && a->type == b->type && a->ndim == b->ndim &&
                  memcmp(a->shape, b->shape, sizeof a->shape) == 0,
              "tensor '%s' is another", a->name);
        Weight w = gguf_weight(a);
        CHECK(memcmp(a->data, b->data, weight_bytes(&w)) == 0,
              "tensor '%s' has other bytes", a->name);
    }
    static const char *const keys[] = {"tokenizer.ggml.tokens",
                                       "tokenizer.ggml.merges"};
    for (int k = 0; k < 2; k++) {
        size_t n, m;
        GgufText *a = gguf_texts(ours, keys[k], &n),
                 *b = gguf_texts(theirs, keys[k], &m);
        CHECK(n == m && n > 0, "%s: %zu entries, expected %zu", keys[k], n, m);
        for (size_t i = 0; i < n; i++)
            CHECK(a[i].bytes == b[i].bytes &&
                      memcmp(a[i].text, b[i].text, a[i].bytes) == 0,
                  "%s: entry %zu is '%.*s'", keys[k], i, (int)a[i].bytes, a[i].text);
        free(a);
        free(b);
    }
    gguf_close(theirs);
    gguf_close(ours);
    gpt2_free(model);
    tokenizer_free(tokenizer);
}

/* The golden file with another output.weight: the table's floats as they are decoded,
 * times `factor`. */
static void write_with_head(float factor) {
    Gguf *file = gguf_open(golden_path("gguf/tiny-q4_0.gguf"));
    GgufWriter *w = gguf_begin(path);
    gguf_put_text(w, "general.architecture", "gpt2");
    gguf_put_size(w, "gpt2.block_count", 2);
    gguf_put_size(w, "gpt2.context_length", 64);
    gguf_put_size(w, "gpt2.embedding_length", 256);
    gguf_put_size(w, "gpt2.feed_forward_length", 1024);
    gguf_put_size(w, "gpt2.attention.head_count", 4);
    gguf_put_number(w, "gpt2.attention.layer_norm_epsilon", 1e-5f);
    float *head = NULL;
    for (size_t i = 0; i < file->n_tensors; i++) {
        const GgufTensor *t = &file->tensors[i];
        Weight weight = gguf_weight(t);
        if (strcmp(t->name, "output.weight") == 0) {
            head = checked_alloc(t->size, sizeof *head);
            weight_to_floats(head, &weight);
            for (size_t k = 0; k < t->size; k++) head[k] *= factor;
            weight = weight_of_floats(head, weight.rows, weight.cols);
        }
        gguf_add(w, t->name, t->ndim, &weight);
    }
    gguf_commit(w);
    gguf_close(file);
    free(head);
}

/* llama.cpp's quantizer gives the head a type of its own. */
Test(gguf_model, a_head_in_another_type) {
    Gpt2 *tied = gpt2_load(golden_path("gguf/tiny-q4_0.gguf"), PARAMS_MAPPED);
    float *expected = logits_of(tied);
    for (int factor = 1; factor <= 2; factor++) {
        write_with_head((float)factor);
        Gpt2 *model = gpt2_load(path, PARAMS_MAPPED);
        float *got = logits_of(model);
        for (size_t i = 0; i < 32 * 288; i++)
            CHECK(got[i] == (float)factor * expected[i],
                  "a head %d times the table: logit %zu is %.7g, expected %.7g", factor,
                  i, (double)got[i], (double)((float)factor * expected[i]));
        gpt2_free(model);
        free(got);
    }
    gpt2_free(tied);
    free(expected);
}

/* Floats go out transposed and come back: the variant has a d_ff of its own and
 * gelu_new's tanh is given to it. */
Test(gguf_model, a_model_of_floats_keeps_its_logits) {
    Gpt2Config config = gpt2_config(97, 20, 3, 2, 12);
    config.block.d_ff = 20;
    Random init = random_create(3);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    gguf_model_save(model, NULL, path);
    for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
        Gpt2 *again = gpt2_load(path, mode);
        Tape t = tape_for_inference();
        Gpt2Input input = {.tokens = (int[]){1, 2, 96, 0, 5}, .batch = 1, .length = 5};
        const float *a = gpt2_logits(&t, model, &input)->data,
                    *b = gpt2_logits(&t, again, &input)->data;
        CHECK(memcmp(a, b, 5 * 97 * sizeof *a) == 0, "mode %d: other bits", (int)mode);
        tape_free(&t);
        gpt2_free(again);
    }
    CHECK(model_tokenizer(NULL, path, 97) == NULL, "a tokenizer comes from nowhere");
    gpt2_free(model);
}

static void save_gated(void *unused) {
    (void)unused;
    Gpt2Config config = gpt2_config(257, 4, 1, 1, 2);
    config.block.ffn = FFN_GELU_ERF;
    gguf_model_save(gpt2_create(&config, PARAMS_INFER, NULL), NULL, path);
}

static void load_other_head(void *unused) {
    (void)unused;
    size_t size;
    char *file = file_read(golden_path("gguf/tiny-q4_0.gguf"), &size);
    char *data = file + size - 1060864 - 1024 + 41472; /* where output.weight begins */
    data[5] ^= 1;
    put_file(path, file, size);
    gpt2_load(path, PARAMS_MAPPED);
}

static void train_on_nan(void *unused) {
    (void)unused;
    Gpt2Config config = gpt2_config(257, 4, 1, 1, 2);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, NULL);
    model->wpe->data[3] = NAN;
    gguf_model_save(model, NULL, path);
    gpt2_free(gpt2_load(path, PARAMS_INFER)); /* only training asks */
    gpt2_load(path, PARAMS_TRAIN);
}

Test(gguf_model, what_does_not_fit_is_named) {
    expect_exit(EXIT_INPUT, "tensor 'position_embd.weight': its number 3 is nan",
                train_on_nan, NULL);

    expect_exit(EXIT_INPUT, "cannot be saved as GGUF's gpt2", save_gated, NULL);
    expect_exit(EXIT_INPUT, "tensor 'output.weight': it differs from the token table",
                load_other_head, NULL);
}
