/* A damaged model.safetensors with coded matrices beside a good config: refused, or it
 * loads and runs. */
#include "10-gpt2/family.h"
#include "14-compression/coded_model.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_model.h"

/* Each kind of coded matrix once. */
static void make_good(void) {
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
}

FUZZ_TARGET(coded) {
    fuzz_damage("model.safetensors", make_good, data, size);
    run_and_free(coded_model_load(fuzz_path(".")));
}
