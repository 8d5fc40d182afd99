/* A damaged GGUF file of a model: it is refused, or it loads in every mode, with its
 * tokenizer, and runs. */
#include <stdlib.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/gguf_model.h"
#include "10-gpt2/model_tokenizer.h"
#include "files/file.h"
#include "fuzz/fuzz.h"

/* One block of Q4_0 in each row of the token table, all else floats. */
static void make_good(char **good, size_t *good_size) {
    Gpt2Config config = gpt2_config(257, 2, 1, 1, 32);
    config.block.d_ff = 2;
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    static char blocks[257 * 18];
    params_store(
        &model->params.items[0],
        &(Weight){.type = &weight_q4_0, .data = blocks, .rows = 257, .cols = 32});
    Tokenizer *tokenizer = tokenizer_bytes();
    gguf_model_save(model, tokenizer, fuzz_path("good.gguf"));
    tokenizer_free(tokenizer);
    gpt2_free(model);
    *good = file_read(fuzz_path("good.gguf"), good_size);
}

FUZZ_TARGET(gguf) {
    static char *good;
    static size_t good_size;
    if (!good) make_good(&good, &good_size);
    size_t n = good_size;
    char *bytes = fuzz_damaged(good, &n, data, size);
    const char *path = fuzz_write("model.gguf", bytes, n);
    for (ParamsMode mode = PARAMS_TRAIN; gguf_is_file(path) && mode <= PARAMS_MAPPED;
         mode++) {
        Gpt2 *model = gpt2_load(path, mode);
        Tape t = tape_for_inference();
        gpt2_logits(&t, model,
                    &(Gpt2Input){.tokens = (int[]){0, 2}, .batch = 1, .length = 2});
        tape_free(&t);
        gpt2_free(model);
        tokenizer_free(model_tokenizer(NULL, path, 257));
    }
    free(bytes);
}
