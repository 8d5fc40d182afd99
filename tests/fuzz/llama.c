/* A damaged GGUF file of a model of LLaMA's family: it is refused, or it loads in every
 * mode and runs. */
#include <stdlib.h>

#include "18-llama/llama_gguf.h"
#include "18-llama/llama_load.h"
#include "files/file.h"
#include "fuzz/fuzz.h"

static void make_good(char **good, size_t *good_size) {
    Gpt2Config config = llama_config(&(LlamaShape){.n_vocab = 5,
                                                   .n_ctx = 4,
                                                   .n_layer = 1,
                                                   .n_head = 4,
                                                   .n_kv_head = 2,
                                                   .d_model = 16,
                                                   .d_ff = 3,
                                                   .rope_base = 100,
                                                   .eps = 1e-5f});
    rotary_scale(&config.block.rotary, 8, 1, 4, 64);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    llama_gguf_save(model, NULL, fuzz_path("good.gguf"));
    gpt2_free(model);
    *good = file_read(fuzz_path("good.gguf"), good_size);
}

FUZZ_TARGET(llama) {
    static char *good;
    static size_t good_size;
    if (!good) make_good(&good, &good_size);
    size_t n = good_size;
    char *bytes = fuzz_damaged(good, &n, data, size);
    const char *path = fuzz_write("model.gguf", bytes, n);
    free(bytes);
    for (ParamsMode mode = PARAMS_TRAIN; gguf_is_file(path) && mode <= PARAMS_MAPPED;
         mode++) {
        Gpt2 *model = llama_load(path, mode);
        Tape t = tape_for_inference();
        gpt2_logits(&t, model,
                    &(Gpt2Input){.tokens = (int[]){0, 2}, .batch = 1, .length = 2});
        tape_free(&t);
        gpt2_free(model);
    }
}
