/* A damaged model.safetensors beside a good config: it is refused, or it loads in every
 * mode and runs. */
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "files/file.h"
#include "fuzz/fuzz.h"

static char *good;
static size_t good_size;

static void make_good(void) {
    Gpt2Config config = gpt2_config(3, 2, 1, 1, 2);
    Random init = random_create(1);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    Directory *directory = directory_open(fuzz_path("."));
    gpt2_save(model, NULL, directory);
    directory_close(directory);
    gpt2_free(model);
    good = file_read(fuzz_path("model.safetensors"), &good_size);
}

FUZZ_TARGET(model) {
    if (!good) make_good();
    size_t n = good_size;
    char *bytes = fuzz_damaged(good, &n, data, size);
    fuzz_write("model.safetensors", bytes, n);
    for (ParamsMode mode = PARAMS_TRAIN; mode <= PARAMS_MAPPED; mode++) {
        Gpt2 *model = gpt2_load(fuzz_path("."), mode);
        Tape t = tape_for_inference();
        gpt2_logits(&t, model,
                    &(Gpt2Input){.tokens = (int[]){0, 2}, .batch = 1, .length = 2});
        tape_free(&t);
        gpt2_free(model);
    }
    free(bytes);
}
