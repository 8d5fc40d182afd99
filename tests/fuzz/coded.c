/* A damaged model.safetensors with coded matrices beside a good config: refused, or it
 * loads and runs. */
#include <stdlib.h>

#include "10-gpt2/family.h"
#include "14-compression/coded_model.h"
#include "files/file.h"
#include "fuzz/fuzz.h"

/* Each kind of coded matrix once. */
static void make_good(char **good, size_t *good_size) {
    static const char *const codecs[] = {"rbe:9", "kmeans:1", "svd:2", "q3", "f16"};
    Gpt2Config config = gpt2_config(3, 2, 1, 1, 32);
    config.block.d_ff = 2;
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    Coded coded = coded_begin(model);
    for (size_t i = 0, k = 0; i < model->params.n; i++) {
        double value;
        if (!is_coded(&model->params.items[i])) continue;
        const Codec *codec = codec_find(codecs[k++ % 5], &value);
        code_param(&coded, i, codec, value, NULL);
    }
    family_save(model, NULL, fuzz_path("."));
    coded_undo(&coded);
    gpt2_free(model);
    *good = file_read(fuzz_path("model.safetensors"), good_size);
}

FUZZ_TARGET(coded) {
    static char *good;
    static size_t good_size;
    if (!good) make_good(&good, &good_size);
    size_t n = good_size;
    char *bytes = fuzz_damaged(good, &n, data, size);
    fuzz_write("model.safetensors", bytes, n);
    Gpt2 *model = coded_model_load(fuzz_path("."));
    Tape t = tape_for_inference();
    gpt2_logits(&t, model,
                &(Gpt2Input){.tokens = (int[]){0, 2}, .batch = 1, .length = 2});
    tape_free(&t);
    gpt2_free(model);
    free(bytes);
}
