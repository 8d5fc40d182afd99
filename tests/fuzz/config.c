/* Any bytes as a model's config.json. */
#include "10-gpt2/checkpoint.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(config) {
    fuzz_write("config.json", data, size);
    Gpt2Config config = gpt2_read_config(fuzz_path("."));
    if (config.n_layer <= 4) gpt2_free(gpt2_create(&config, PARAMS_MAPPED, NULL));
}
