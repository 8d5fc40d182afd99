/* Tests of reading and writing Hugging Face directories. */
#include "10-gpt2/checkpoint.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "files/file.h"
#include "check/golden.h"
#include "files/json.h"
#include "base/memory.h"
#include "check/remove_tree.h"
#include "checkpoint_directory.h"

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

/* The fields of config.json, as numbers. */
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

/* The parts that Hugging Face's loader checks: the names, shapes and types of its own
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

/* All of Hugging Face's names of the same function. */
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
