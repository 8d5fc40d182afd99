/* Tests of reading and writing Hugging Face directories. */
#include "10-gpt2/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "dies.h"
#include "file.h"
#include "golden.h"

/* A directory of its own for this test, with the tiny model's config and one of its checkpoints under the standard name. */
static char *directory_with(const char *checkpoint) {
    static char directory[64];
    snprintf(directory, sizeof directory, "/tmp/checkpoint-XXXXXX");
    CHECK(mkdtemp(directory) != NULL, "cannot make a directory in /tmp");
    const char *const from[] = {"tiny_gpt2/config.json", checkpoint}, *const to[] = {"config.json", "model.safetensors"};
    for (size_t i = 0; i < 2; i++) {
        size_t bytes;
        char *data = file_read(golden_path(from[i]), &bytes), *path = path_join(directory, to[i]);
        FileWriter w = file_begin(path);
        file_write(&w, data, bytes);
        file_commit(&w);
    }
    return directory;
}

static void remove_directory(const char *directory) {
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0) cr_log_warn("cannot remove %s", directory);
}

/* Replaces the first `old` in the directory's config by `fresh`, or in model.safetensors. */
static void edit(const char *directory, const char *name, const char *old, const char *fresh) {
    size_t bytes, n = strlen(old);
    char *path = path_join(directory, name), *data = file_read(path, &bytes), *at = data;
    while ((size_t)(at - data) + n < bytes && memcmp(at, old, n) != 0) at++;
    CHECK((size_t)(at - data) + n < bytes, "%s has no '%s'", name, old);
    FileWriter w = file_begin(path);
    file_write(&w, data, (size_t)(at - data));
    file_write(&w, fresh, strlen(fresh));
    file_write(&w, at + n, bytes - (size_t)(at - data) - n);
    file_commit(&w);
}

static float *logits_of(const char *directory, ParamsMode mode, size_t *size) {
    Gpt2 *model = gpt2_load(directory, mode);
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("tiny_gpt2/golden_f64", NULL, "tokens", shape);
    int *tokens = golden_int("tiny_gpt2/golden_f64", NULL, "tokens", NULL);
    size_t batch = shape[0], length = shape[1] - 1;
    int *inputs = checked_alloc(batch * length, sizeof *inputs);
    for (size_t i = 0; i < batch * length; i++) inputs[i] = tokens[i / length * (length + 1) + i % length];
    Tape t = tape_create(1);
    t.recording = t.training = false;
    Tensor *logits = gpt2_logits(&t, model, &(Gpt2Input){.tokens = inputs, .batch = batch, .length = length});
    *size = tensor_size(logits);
    float *copy = checked_alloc(*size, sizeof *copy);
    memcpy(copy, logits->data, *size * sizeof *copy);
    tape_free(&t);
    gpt2_free(model);
    return copy;
}

Test(checkpoint, every_layout_gives_the_same_logits, .timeout = 30) {
    const char *const files[] = {"model", "model_prefixed", "model_old_full", "model_boolmask"};
    for (size_t i = 0; i < 4; i++) {
        for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
            char name[100];
            snprintf(name, sizeof name, "tiny_gpt2/%s.safetensors", files[i]);
            char *directory = directory_with(name);
            size_t size;
            float *logits = logits_of(directory, mode, &size);
            CHECK_CLOSE(name, logits, golden("tiny_gpt2/golden_f64", NULL, "logits", NULL), size, 1e-5);
            remove_directory(directory);
        }
    }
}

Test(checkpoint, half_precision, .timeout = 30) {
    const char *const kinds[] = {"f16", "bf16"};
    for (size_t i = 0; i < 2; i++) {
        char file[100], tensor[100];
        snprintf(file, sizeof file, "tiny_gpt2/model_%s.safetensors", kinds[i]);
        snprintf(tensor, sizeof tensor, "logits_%s", kinds[i]);
        char *directory = directory_with(file);
        size_t size;
        float *logits = logits_of(directory, PARAMS_MAPPED, &size);
        CHECK_CLOSE(tensor, logits, golden("tiny_gpt2/golden_half", NULL, tensor, NULL), size, 1e-5);
        remove_directory(directory);
    }
}

/* What config.json says, as numbers. */
#define CONFIG_NUMBERS(c)                                                                                    \
    {(double)(c).n_vocab,       (double)(c).n_ctx,          (double)(c).n_layer,                             \
     (double)(c).block.d_model, (double)(c).block.n_head,   (double)(c).block.d_ff,                          \
     (double)(c).block.ffn,     (double)(c).block.norm_eps, (double)(c).block.attn_dropout,                  \
     (double)(c).embd_dropout,  (double)(c).init_std,       (double)(c).block.resid_dropout}

Test(checkpoint, saved_and_loaded_again, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors");
    Gpt2 *model = gpt2_load(directory, PARAMS_MAPPED);
    gpt2_save(model, directory); /* over the very file that is mapped */
    gpt2_free(model);
    size_t size;
    float *logits = logits_of(directory, PARAMS_INFER, &size);
    CHECK_CLOSE("logits", logits, golden("tiny_gpt2/golden_f64", NULL, "logits", NULL), size, 1e-5);
    Gpt2Config a = gpt2_read_config(directory), b = gpt2_read_config(golden_path("tiny_gpt2"));
    const double saved[] = CONFIG_NUMBERS(a), original[] = CONFIG_NUMBERS(b);
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        CHECK(saved[i] == original[i], "number %zu of the saved config is %g, expected %g", i, saved[i], original[i]);
    }
    remove_directory(directory);
}

Test(checkpoint, shards, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model_prefixed.safetensors");
    char *from = path_join(directory, "model.safetensors"), *to = path_join(directory, "part-1.safetensors");
    CHECK(rename(from, to) == 0, "cannot rename");
    FileWriter w = file_begin(path_join(directory, "model.safetensors.index.json"));
    file_printf(&w, "{\"weight_map\": {\"transformer.wte.weight\": \"part-1.safetensors\"}}");
    file_commit(&w);
    size_t size;
    float *logits = logits_of(directory, PARAMS_MAPPED, &size);
    CHECK_CLOSE("logits", logits, golden("tiny_gpt2/golden_f64", NULL, "logits", NULL), size, 1e-5);
    remove_directory(directory);
}

static void load(void *directory) { gpt2_load(directory, PARAMS_INFER); }

/* What is changed in the tiny model's directory, and what the one line on stderr must then say. */
static const struct {
    const char *file, *old, *fresh, *says;
} refused[] = {
    {"config.json", "{", "[", "no valid JSON"},
    {"config.json", "\"model_type\": \"gpt2\"", "\"model_type\": \"llama\"", "'llama', expected 'gpt2'"},
    {"config.json", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false", "tie_word_embeddings"},
    {"config.json", "gelu_new", "mish", "mish"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": \"2\"", "\"n_layer\" is not a number"},
    {"config.json", "\"n_head\": 2", "\"n_head\": 2.5", "expected a whole number"},
    {"config.json", "\"n_head\": 2", "\"n_head\": 3", "not a multiple"},
    {"config.json", "\"n_embd\": 32", "\"n_embd\": 1e300", "\"n_embd\" is 1e+300"},
    {"config.json", "\"vocab_size\": 97", "\"vocab\": 97", "\"vocab_size\" is missing"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": 3", "h.2.ln_1.weight"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": 1", "h.1."},
    {"config.json", "\"n_embd\": 32", "\"n_embd\": 64", "shape"},
    {"model.safetensors", "\"h.0.ln_1.bias\"", "\"h.0.ln_9.bias\"", "h.0.ln_9.bias"},
};

Test(checkpoint, refuses_with_one_line, .timeout = 60) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *directory = directory_with("tiny_gpt2/model.safetensors");
        edit(directory, refused[i].file, refused[i].old, refused[i].fresh);
        expect_exit(1, refused[i].says, load, directory);
        remove_directory(directory);
    }
}

Test(checkpoint, refuses_a_truncated_file, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors");
    CHECK(truncate(path_join(directory, "model.safetensors"), 60000) == 0, "cannot truncate");
    expect_exit(1, "cut short", load, directory);
    remove_directory(directory);
}

Test(checkpoint, refuses_a_missing_directory, .timeout = 30) {
    expect_exit(1, "/nonexistent/model/config.json", load, "/nonexistent/model");
}

static void save_rmsnorm(void *directory) {
    Gpt2Config config = gpt2_config(97, 24, 2, 2, 32);
    config.block.norm = NORM_RMS;
    Random init = random_create(1);
    gpt2_save(gpt2_create(&config, PARAMS_INFER, &init), directory);
}

Test(checkpoint, does_not_save_what_huggingface_cannot_read, .timeout = 30) {
    expect_exit(1, "cannot be saved", save_rmsnorm, "/tmp/never-written");
}
