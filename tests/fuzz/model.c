/* A damaged model.safetensors beside a good config: it is refused, or it loads in every
 * mode and runs. */
#include "10-gpt2/checkpoint.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_model.h"

static void make_good(void) {
    Gpt2Config config = gpt2_config(3, 2, 1, 1, 2);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    Directory *directory = directory_open(fuzz_path("."));
    gpt2_save(model, NULL, directory);
    directory_close(directory);
    gpt2_free(model);
}

FUZZ_TARGET(model) {
    fuzz_damage("model.safetensors", make_good, data, size);
    for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++)
        run_and_free(gpt2_load(fuzz_path("."), mode));
}
