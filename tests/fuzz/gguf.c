/* A damaged GGUF file of a model: it is refused, or it loads in every mode, with its
 * tokenizer, and runs. */
#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "10-gpt2/model_tokenizer.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_model.h"

/* One block of Q4_0 in each row of the token table, all else floats. */
static void make_good(void) {
    Gpt2Config config = gpt2_config(257, 2, 1, 1, 32);
    config.block.d_ff = 2;
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    static char blocks[257 * 18];
    params_store(
        &model->params.items[0],
        &(Weight){.type = &weight_q4_0, .data = blocks, .rows = 257, .cols = 32});
    Tokenizer *tokenizer = tokenizer_bytes();
    gguf_model_save(model, tokenizer, fuzz_path("model.gguf"));
    tokenizer_free(tokenizer);
    gpt2_free(model);
}

FUZZ_TARGET(gguf) {
    const char *path = fuzz_damage("model.gguf", make_good, data, size);
    for (ParamsMode mode = PARAMS_TRAIN; gguf_is_file(path) && mode <= PARAMS_MAPPED;
         mode++) {
        run_and_free(gpt2_load(path, mode));
        tokenizer_free(model_tokenizer(NULL, path, 257));
    }
}
