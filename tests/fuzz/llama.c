/* A damaged GGUF file of a model of LLaMA's family: it is refused, or it loads in every
 * mode and runs. */
#include "18-llama/llama_gguf.h"
#include "18-llama/llama_load.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_model.h"

static void make_good(void) {
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
    llama_gguf_save(model, NULL, fuzz_path("model.gguf"));
    gpt2_free(model);
}

FUZZ_TARGET(llama) {
    const char *path = fuzz_damage("model.gguf", make_good, data, size);
    for (ParamsMode mode = PARAMS_TRAIN; gguf_is_file(path) && mode <= PARAMS_MAPPED;
         mode++)
        run_and_free(llama_load(path, mode));
}
