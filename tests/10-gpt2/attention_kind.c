/* A whole model runs with either kind of attention (chapter 07): PyTorch's logits, and
 * no trace of it on disk. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "check/check.h"
#include "files/file.h"
#include "check/golden.h"
#include "base/memory.h"
#include "check/remove_tree.h"

static Gpt2 *online_model(void) {
    Gpt2 *model = gpt2_load(golden_path("tiny_gpt2"), PARAMS_INFER);
    model->config.block.attention = ATTENTION_ONLINE;
    for (size_t l = 0; l < model->config.n_layer; l++)
        model->blocks[l].attn.config.kind = ATTENTION_ONLINE;
    return model;
}

Test(attention_kind, online_gives_pytorchs_logits, .timeout = 30) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("tiny_gpt2/golden_f64", NULL, "tokens", shape);
    const int *tokens = golden_int("tiny_gpt2/golden_f64", NULL, "tokens", NULL);
    size_t batch = shape[0], length = shape[1] - 1;
    int *inputs = checked_alloc(batch * length, sizeof *inputs);
    for (size_t i = 0; i < batch * length; i++)
        inputs[i] = tokens[i / length * (length + 1) + i % length];
    Gpt2Input input = {.tokens = inputs, .batch = batch, .length = length};
    Tape t = tape_for_inference();
    const Tensor *logits = gpt2_logits(&t, online_model(), &input);
    CHECK_CLOSE("logits", logits->data,
                golden("tiny_gpt2/golden_f64", NULL, "logits", NULL),
                tensor_size(logits), 1e-5);
}

Test(attention_kind, is_saved_nowhere, .timeout = 30) {
    static const char *const files[] = {"config.json", "model.safetensors"};
    const Gpt2 *models[2] = {gpt2_load(golden_path("tiny_gpt2"), PARAMS_INFER),
                             online_model()};
    char *directory[2], *data[2];
    size_t bytes[2];
    for (size_t i = 0; i < 2; i++) {
        directory[i] = new_directory();
        Directory *to = directory_open(directory[i]);
        gpt2_save(models[i], NULL, to);
        directory_close(to);
    }
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < 2; i++)
            data[i] = file_read(path_join(directory[i], files[f]), &bytes[i]);
        CHECK(bytes[0] == bytes[1] && memcmp(data[0], data[1], bytes[0]) == 0,
              "%s depends on the kind of attention", files[f]);
    }
    for (size_t i = 0; i < 2; i++) remove_tree(directory[i]);
}
