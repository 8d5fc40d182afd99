/* Any bytes as model.safetensors.index.json, beside a good model in two shards. */
#include <unistd.h>

#include "10-gpt2/checkpoint.h"
#include "fuzz/fuzz.h"

/* The token table in one file, all the rest in the other. */
static void write_shards(void) {
    Gpt2Config config = gpt2_config(3, 2, 1, 1, 2);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    Directory *directory = directory_open(fuzz_path("."));
    gpt2_save(model, NULL, directory);
    directory_close(directory);
    SafetensorsWriter *w[2] = {safetensors_begin(fuzz_path("a")),
                               safetensors_begin(fuzz_path("b"))};
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        safetensors_add(w[i != 0], p->name, DTYPE_F32, p->tensor->ndim,
                        p->tensor->shape, p->tensor->data);
    }
    safetensors_commit(w[0]);
    safetensors_commit(w[1]);
    gpt2_free(model);
    unlink(fuzz_path("model.safetensors"));
}

FUZZ_TARGET(index) {
    static bool written;
    if (!written) write_shards();
    written = true;
    fuzz_write("model.safetensors.index.json", data, size);
    gpt2_free(gpt2_load(fuzz_path("."), PARAMS_MAPPED));
}
