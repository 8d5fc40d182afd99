/* Tests of Hugging Face directories that are not loaded, and of models that are not
 * saved: each with one line that says why. */
#include "10-gpt2/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/dies.h"
#include "check/remove_tree.h"
#include "checkpoint_directory.h"
#include "files/file.h"

static void load(void *directory) {
    gpt2_load(directory, PARAMS_INFER);
}

/* Changes of the tiny model's directory, and the one line on stderr for each. */
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
     "tensors, the config asks for 1000 layers"},
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
     "tensor 'h.0.ln_9.bias': a model of 2 layers has"},
    {"model.safetensors", "\"ln_f.bias\"", "\"ln_f.bia\"", "goes on after its JSON"},
};

Test(checkpoint_refused, refuses_with_one_line, .timeout = 60) {
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *directory = directory_with("tiny_gpt2/model.safetensors");
        edit(directory, refused[i].file, refused[i].old, refused[i].fresh);
        expect_exit(1, refused[i].says, load, directory);
        remove_tree(directory);
    }
}

Test(checkpoint_refused, refuses_a_bad_index_with_one_line, .timeout = 60) {
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
Test(checkpoint_refused, refuses_a_type_by_the_tensors_name, .timeout = 30) {
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
Test(checkpoint_refused, refuses_a_head_that_is_not_tied, .timeout = 30) {
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
    expect_exit(1, "tensor 'lm_head.weight': it differs from the token table", load,
                directory);
    remove_tree(directory);
}

Test(checkpoint_refused, refuses_a_truncated_file, .timeout = 30) {
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
Test(checkpoint_refused, trains_no_weights_that_are_not_finite, .timeout = 30) {
    char *directory = directory_with("tiny_gpt2/model.safetensors"),
         *path = path_join(directory, "model.safetensors");
    size_t bytes;
    char *data = file_read(path, &bytes);
    SafeTensors file = safetensors_open(path);
    const char *number =
        (const char *)safetensors_find(&file, "wpe.weight")->data + 5 * sizeof(float);
    memcpy(data + (number - (const char *)file.map), &(float){INFINITY}, sizeof(float));
    safetensors_close(&file);
    put_file(path, data, bytes);
    expect_exit(0, "", load_to_read, directory);
    expect_exit(1, "tensor 'wpe.weight': its number 5 is inf, expected a finite one",
                load_to_train, directory);
    remove_tree(directory);
}

Test(checkpoint_refused, refuses_a_missing_directory, .timeout = 30) {
    expect_exit(1, "/nonexistent/model/config.json", load, "/nonexistent/model");
}

static void save_rmsnorm(void *unused) {
    Gpt2Config config = gpt2_config(97, 24, 2, 2, 32);
    config.block.norm = NORM_RMS;
    Random init = random_create(1);
    gpt2_save(gpt2_create(&config, PARAMS_INFER, &init), NULL, unused);
}

Test(checkpoint_refused, does_not_save_what_huggingface_cannot_read, .timeout = 30) {
    expect_exit(1, "cannot be saved", save_rmsnorm, NULL);
}
