/* Tests of reading and writing Hugging Face directories. */
#include "10-gpt2/checkpoint.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/check.h"
#include "check/dies.h"
#include "files/file.h"
#include "check/golden.h"
#include "files/json.h"
#include "base/memory.h"
#include "check/remove_tree.h"

/* A directory of its own for this test, with the tiny model's config and one of its
 * checkpoints under the standard name. */
static char *directory_with(const char *checkpoint) {
    static char directory[64];
    snprintf(directory, sizeof directory, "/tmp/checkpoint-XXXXXX");
    CHECK(mkdtemp(directory) != NULL, "cannot make a directory in /tmp");
    const char *const from[] = {"tiny_gpt2/config.json", checkpoint},
                      *const to[] = {"config.json", "model.safetensors"};
    for (size_t i = 0; i < 2; i++) {
        size_t bytes;
        char *data = file_read(golden_path(from[i]), &bytes),
             *path = path_join(directory, to[i]);
        FileWriter w = file_begin(path);
        file_write(&w, data, bytes);
        file_commit(&w);
    }
    return directory;
}

/* Replaces the first `old` in the directory's config by `fresh`, or in
 * model.safetensors. */
static void edit(const char *directory, const char *name, const char *old,
                 const char *fresh) {
    size_t bytes, n = strlen(old);
    char *path = path_join(directory, name), *data = file_read(path, &bytes),
         *at = data;
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
    for (size_t i = 0; i < batch * length; i++)
        inputs[i] = tokens[i / length * (length + 1) + i % length];
    Tape t = tape_for_inference();
    Tensor *logits = gpt2_logits(
        &t, model, &(Gpt2Input){.tokens = inputs, .batch = batch, .length = length});
    *size = tensor_size(logits);
    float *copy = checked_alloc(*size, sizeof *copy);
    memcpy(copy, logits->data, *size * sizeof *copy);
    tape_free(&t);
    gpt2_free(model);
    return copy;
}

Test(checkpoint, every_layout_gives_the_same_logits, .timeout = 30) {
    const char *const files[] = {"model", "model_prefixed", "model_old_full",
                                 "model_boolmask"};
    for (size_t i = 0; i < 4; i++) {
        for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
            char name[100];
            snprintf(name, sizeof name, "tiny_gpt2/%s.safetensors", files[i]);
            char *directory = directory_with(name);
            size_t size;
            float *logits = logits_of(directory, mode, &size);
            CHECK_CLOSE(name, logits,
                        golden("tiny_gpt2/golden_f64", NULL, "logits", NULL), size,
                        1e-5);
            remove_tree(directory);
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
        CHECK_CLOSE(tensor, logits, golden("tiny_gpt2/golden_half", NULL, tensor, NULL),
                    size, 1e-5);
        remove_tree(directory);
    }
}

/* What config.json says, as numbers. */
#define CONFIG_NUMBERS(c)                                                              \
    {                                                                                  \
        (double)(c).n_vocab, (double)(c).n_ctx, (double)(c).n_layer,                   \
            (double)(c).block.d_model, (double)(c).block.n_head,                       \
            (double)(c).block.d_ff, (double)(c).block.ffn, (double)(c).block.norm_eps, \
            (double)(c).block.attn_dropout, (double)(c).embd_dropout,                  \
            (double)(c).init_std, (double)(c).block.resid_dropout                      \
    }

static void save(const Gpt2 *model, const char *path) {
    Directory *directory = directory_open(path);
    gpt2_save(model, NULL, directory);
    directory_close(directory);
}

Test(checkpoint, saved_and_loaded_again, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors");
    Gpt2 *model = gpt2_load(directory, PARAMS_MAPPED);
    save(model, directory); /* over the very file that is mapped */
    gpt2_free(model);
    size_t size;
    float *logits = logits_of(directory, PARAMS_INFER, &size);
    CHECK_CLOSE("logits", logits, golden("tiny_gpt2/golden_f64", NULL, "logits", NULL),
                size, 1e-5);
    Gpt2Config a = gpt2_read_config(directory),
               b = gpt2_read_config(golden_path("tiny_gpt2"));
    const double saved[] = CONFIG_NUMBERS(a), original[] = CONFIG_NUMBERS(b);
    for (size_t i = 0; i < sizeof saved / sizeof *saved; i++) {
        CHECK(saved[i] == original[i],
              "number %zu of the saved config is %g, expected %g", i, saved[i],
              original[i]);
    }
    remove_tree(directory);
}

/* What Hugging Face's loader looks at: the names, shapes and types of its own
 * checkpoint (but for the masks), the mark of PyTorch's layout, numbers that are
 * aligned, and a config that names the class. */
Test(checkpoint, saved_as_huggingface_saves, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model_old_full.safetensors");
    save(gpt2_load(directory, PARAMS_INFER), directory);
    SafeTensors ours = safetensors_open(path_join(directory, "model.safetensors")),
                theirs = safetensors_open(golden_path("tiny_gpt2/model.safetensors"));
    size_t n_weights = 0;
    for (size_t i = 0; i < theirs.count; i++) {
        const SafeTensor *x = &theirs.tensors[i], *y = safetensors_find(&ours, x->name);
        if (strstr(x->name, ".attn.bias")) continue;
        n_weights++;
        CHECK(y && y->dtype == x->dtype && y->ndim == x->ndim &&
                  memcmp(y->shape, x->shape, sizeof x->shape) == 0 &&
                  memcmp(y->data, x->data, x->bytes) == 0,
              "tensor '%s' is missing or not what it was", x->name);
        CHECK((uintptr_t)y->data % sizeof(float) == 0, "tensor '%s' is not aligned",
              x->name);
    }
    CHECK(ours.count == n_weights, "%zu tensors are saved, expected the %zu weights",
          ours.count, n_weights);
    const char *format = safetensors_metadata(&ours, "format");
    CHECK(format && strcmp(format, "pt") == 0,
          "the metadata's format is %s, expected pt", format ? format : "missing");
    cJSON *config = json_read_object(path_join(directory, "config.json"));
    const cJSON *class =
        cJSON_GetArrayItem(cJSON_GetObjectItem(config, "architectures"), 0);
    CHECK(cJSON_IsString(class) && strcmp(class->valuestring, "GPT2LMHeadModel") == 0,
          "the config names no class");
    CHECK(json_number(config, "config.json", "layer_norm_epsilon", 0, 0, 1) == 1e-5,
          "epsilon is not saved as 1e-05");
    remove_tree(directory);
}

/* --- shards --- */

static void write_index(const char *directory, const char *text) {
    FileWriter w = file_begin(path_join(directory, "model.safetensors.index.json"));
    file_printf(&w, "%s", text);
    file_commit(&w);
}

/* The tiny model in two files, the odd tensors in one and the even ones in the other,
 * and their index. */
static char *directory_of_shards(void) {
    char *directory = directory_with("tiny_gpt2/model_prefixed.safetensors");
    SafeTensors all = safetensors_open(path_join(directory, "model.safetensors"));
    SafetensorsWriter *part[2];
    char index[8000] = "{\"metadata\": {\"total_size\": 1}, \"weight_map\": {";
    for (size_t p = 0; p < 2; p++)
        part[p] = safetensors_begin(
            path_join(directory, p ? "part-2.safetensors" : "part-1.safetensors"));
    for (size_t i = 0; i < all.count; i++) {
        const SafeTensor *x = &all.tensors[i];
        safetensors_add(part[i % 2], x->name, x->dtype, x->ndim, x->shape, x->data);
        snprintf(index + strlen(index), sizeof index - strlen(index),
                 "%s\"%s\": \"part-%zu.safetensors\"", i ? ", " : "", x->name,
                 i % 2 + 1);
    }
    strcat(index, "}}");
    for (size_t p = 0; p < 2; p++) safetensors_commit(part[p]);
    safetensors_close(&all);
    CHECK(unlink(path_join(directory, "model.safetensors")) == 0,
          "cannot remove the whole model");
    write_index(directory, index);
    return directory;
}

Test(checkpoint, shards, .timeout = 30) {
    for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
        char *directory = directory_of_shards();
        size_t size;
        float *logits = logits_of(directory, mode, &size);
        CHECK_CLOSE("logits", logits,
                    golden("tiny_gpt2/golden_f64", NULL, "logits", NULL), size, 1e-5);
        remove_tree(directory);
    }
}

static void load(void *directory) {
    gpt2_load(directory, PARAMS_INFER);
}

/* What is changed in the tiny model's directory, and what the one line on stderr must
 * then say. */
static const struct {
    const char *file, *old, *fresh, *says;
} refused[] = {
    {"config.json", "{", "[", "is not valid JSON"},
    {"config.json", "{", "", "goes on after its JSON"},
    {"config.json", "}", "} x", "goes on after its JSON"},
    {"config.json", "\"model_type\": \"gpt2\"", "\"model_type\": \"llama\"",
     "'llama', expected 'gpt2'"},
    {"config.json", "\"model_type\": \"gpt2\"", "\"model_type\": \"a\\nb\"",
     "'a\\x0ab', expected 'gpt2'"},
    {"config.json", "\"model_type\": \"gpt2\"", "\"model_type\": 2",
     "\"model_type\" is not a string"},
    {"config.json", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false",
     "\"tie_word_embeddings\" is false, which is not supported"},
    {"config.json", "\"scale_attn_weights\": true", "\"scale_attn_weights\": false",
     "\"scale_attn_weights\" is false, which is not supported"},
    {"config.json", "\"scale_attn_weights\": true", "\"scale_attn_weights\": 1",
     "neither true nor false"},
    {"config.json", "{", "{\"add_cross_attention\": true,",
     "\"add_cross_attention\" is true, which is not supported"},
    {"config.json", "{", "{\"scale_attn_by_inverse_layer_idx\": true,",
     "\"scale_attn_by_inverse_layer_idx\" is true, which is not supported"},
    {"config.json", "{", "{\"pruned_heads\": {\"0\": [1]},",
     "\"pruned_heads\" is not empty"},
    {"config.json", "{", "{\"quantization_config\": \"int8\",",
     "\"quantization_config\" is not empty"},
    {"config.json", "gelu_new", "mish",
     "'mish', expected gelu_new, gelu, relu or silu"},
    {"config.json", "gelu_new", "swiglu", "'swiglu', expected gelu_new"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": \"2\"",
     "\"n_layer\" is not a number"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": 0",
     "\"n_layer\" is 0, expected 1 to 1024"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": -1", "\"n_layer\" is -1"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": 1000",
     "tensor 'h.2.ln_1.weight' is missing"},
    {"config.json", "\"n_head\": 2", "\"n_head\": 2.5", "expected a whole number"},
    {"config.json", "\"n_head\": 2", "\"n_head\": 3", "not a multiple"},
    {"config.json", "\"n_embd\": 32", "\"n_embd\": 1e300", "\"n_embd\" is 1e+300"},
    {"config.json", "\"n_embd\": 32", "\"n_embd\": 1e999", "\"n_embd\" is inf"},
    {"config.json", "\"n_embd\": 32", "\"n_embd\": 65536", "shape"},
    {"config.json", "\"vocab_size\": 97", "\"vocab_size\": 16777216", "shape"},
    {"config.json", "\"vocab_size\": 97", "\"vocab\": 97", "\"vocab_size\" is missing"},
    {"config.json", "\"vocab_size\": 97", "\"vocab_size\": null",
     "\"vocab_size\" is missing"},
    {"config.json", "\"vocab_size\": 97", "\"vocab_size\": 98",
     "tensor 'wte.weight': its shape is [97, 32], the config asks for [98, 32]"},
    {"config.json", "\"layer_norm_epsilon\": 1e-05", "\"layer_norm_epsilon\": -1",
     "\"layer_norm_epsilon\" is -1"},
    {"config.json", "\"layer_norm_epsilon\": 1e-05", "\"layer_norm_epsilon\": null",
     "\"layer_norm_epsilon\" is not a number"},
    {"config.json", "{", "{\"n_layer\": 3,", "\"n_layer\" is there twice"},
    {"config.json", "\"n_inner\": null", "\"n_inner\": 1e6", "\"n_inner\" is 1000000"},
    {"config.json", "\"n_inner\": null", "\"n_inner\": 100",
     "tensor 'h.0.mlp.c_fc.weight': its shape"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": 3", "h.2.ln_1.weight"},
    {"config.json", "\"n_layer\": 2", "\"n_layer\": 1", "h.1."},
    {"config.json", "\"n_embd\": 32", "\"n_embd\": 64", "shape"},
    {"model.safetensors", "\"h.0.ln_1.bias\"", "\"h.0.ln_9.bias\"",
     "tensor 'h.0.ln_9.bias': a GPT-2 of 2 layers has"},
    {"model.safetensors", "\"ln_f.bias\"", "\"ln_f.bia\"", "goes on after its JSON"},
};

Test(checkpoint, refuses_with_one_line, .timeout = 60) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *directory = directory_with("tiny_gpt2/model.safetensors");
        edit(directory, refused[i].file, refused[i].old, refused[i].fresh);
        expect_exit(1, refused[i].says, load, directory);
        remove_tree(directory);
    }
}

Test(checkpoint, refuses_a_bad_index_with_one_line, .timeout = 60) {
    const struct {
        const char *index, *says;
    } bad[] = {
        {"[]", "is not a JSON object"},
        {"{}", "\"weight_map\" is not an object"},
        {"{\"weight_map\": []}", "\"weight_map\" is not an object"},
        {"{\"weight_map\": {}}", "\"weight_map\" is empty"},
        {"{\"weight_map\": {\"a\": 1}}", "tensor 'a': its file is not a string"},
        {"{\"weight_map\": {\"a\": \"\"}}",
         "tensor 'a': '' is not the name of a file beside it"},
        {"{\"weight_map\": {\"a\": \"../part-1.safetensors\"}}",
         "is not the name of a file beside it"},
        {"{\"weight_map\": {\"a\": \"..\"}}", "is a directory"},
        {"{\"weight_map\": {\"a\": \"part-3.safetensors\"}}",
         "part-3.safetensors': No such file"},
        {"{\"weight_map\": {\"a\": \"part-1.safetensors\"}}",
         "tensor 'a' is not in 'part-1.safetensors'"},
        {"{\"weight_map\": {\"a\\nb\": \"part-1.safetensors\"}}",
         "tensor 'a\\x0ab' is not in"},
        {"{\"weight_map\": {\"transformer.h.0.attn.c_attn.bias\": "
         "\"part-1.safetensors\"}}",
         "is missing"},
    };
    char *directory = directory_of_shards();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_index(directory, bad[i].index);
        expect_exit(1, bad[i].says, load, directory);
    }
    remove_tree(directory);
}

/* A tensor of the same name and shape, in a type that weights do not have. */
Test(checkpoint, refuses_a_type_by_the_tensors_name, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors"),
         *path = path_join(directory, "model.safetensors");
    SafeTensors file = safetensors_open(path);
    SafetensorsWriter *w = safetensors_begin(path);
    for (size_t i = 0; i < file.count; i++) {
        const SafeTensor *x = &file.tensors[i];
        safetensors_add(w, x->name,
                        strcmp(x->name, "wpe.weight") == 0 ? DTYPE_I32 : x->dtype,
                        x->ndim, x->shape, x->data);
    }
    safetensors_commit(w);
    expect_exit(1, "tensor 'wpe.weight': is I32, expected F32, F16, BF16 or F64", load,
                directory);
    remove_tree(directory);
}

/* A head of its own: the stored lm_head.weight differs in one number. */
Test(checkpoint, refuses_a_head_that_is_not_tied, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model_old_full.safetensors"),
         *path = path_join(directory, "model.safetensors");
    SafeTensors file = safetensors_open(path);
    SafetensorsWriter *w = safetensors_begin(path);
    for (size_t i = 0; i < file.count; i++) {
        const SafeTensor *x = &file.tensors[i];
        float *head = checked_alloc(x->bytes + 1, 1);
        memcpy(head, x->data, x->bytes);
        if (strcmp(x->name, "lm_head.weight") == 0) head[7] += 1.0f;
        safetensors_add(w, x->name, x->dtype, x->ndim, x->shape, head);
    }
    safetensors_commit(w);
    expect_exit(1, "tensor 'lm_head.weight': it differs from wte.weight", load,
                directory);
    remove_tree(directory);
}

/* Whatever Hugging Face calls the same function. */
Test(checkpoint, activations_by_all_their_names, .timeout = 30) {
    const struct {
        const char *name;
        FfnKind kind;
    } known[] = {
        {"gelu_new", FFN_GELU_TANH}, {"gelu_pytorch_tanh", FFN_GELU_TANH},
        {"gelu", FFN_GELU_ERF},      {"gelu_python_tanh", FFN_GELU_TANH},
        {"relu", FFN_RELU},          {"gelu_python", FFN_GELU_ERF},
        {"silu", FFN_SILU},          {"swish", FFN_SILU},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char *directory = directory_with("tiny_gpt2/model.safetensors");
        edit(directory, "config.json", "gelu_new", known[i].name);
        FfnKind kind = gpt2_read_config(directory).block.ffn;
        CHECK(kind == known[i].kind, "'%s' is read as %s", known[i].name,
              ffn_name(kind));
        remove_tree(directory);
    }
}

Test(checkpoint, refuses_a_truncated_file, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors");
    CHECK(truncate(path_join(directory, "model.safetensors"), 60000) == 0,
          "cannot truncate");
    expect_exit(1, "cut short", load, directory);
    remove_tree(directory);
}

static void load_to_read(void *directory) {
    gpt2_load(directory, PARAMS_MAPPED);
}

static void load_to_train(void *directory) {
    gpt2_load(directory, PARAMS_TRAIN);
}

/* Reading a broken model is no crime; training it is a waste. */
Test(checkpoint, trains_no_weights_that_are_not_finite, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors"),
         *path = path_join(directory, "model.safetensors");
    size_t bytes;
    char *data = file_read(path, &bytes);
    SafeTensors file = safetensors_open(path);
    const char *number =
        (const char *)safetensors_find(&file, "wpe.weight")->data + 5 * sizeof(float);
    memcpy(data + (number - (const char *)file.map), &(float){INFINITY}, sizeof(float));
    safetensors_close(&file);
    FileWriter w = file_begin(path);
    file_write(&w, data, bytes);
    file_commit(&w);
    expect_exit(0, "", load_to_read, directory);
    expect_exit(1, "tensor 'wpe.weight': its number 5 is inf, expected a finite one",
                load_to_train, directory);
    remove_tree(directory);
}

Test(checkpoint, refuses_a_missing_directory, .timeout = 30) {
    expect_exit(1, "/nonexistent/model/config.json", load, "/nonexistent/model");
}

static void save_rmsnorm(void *unused) {
    Gpt2Config config = gpt2_config(97, 24, 2, 2, 32);
    config.block.norm = NORM_RMS;
    Random init = random_create(1);
    gpt2_save(gpt2_create(&config, PARAMS_INFER, &init), NULL, unused);
}

Test(checkpoint, does_not_save_what_huggingface_cannot_read, .timeout = 30) {
    expect_exit(1, "cannot be saved", save_rmsnorm, NULL);
}
