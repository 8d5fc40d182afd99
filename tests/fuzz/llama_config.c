/* Any bytes as the config.json of a model of LLaMA's family. */
#include "18-llama/llama_load.h"
#include "fuzz/fuzz.h"

FUZZ_TARGET(llama_config) {
    fuzz_write("config.json", data, size);
    Gpt2Config config = llama_read_config(fuzz_path("."));
    if (config.n_layer <= 4) gpt2_free(gpt2_create(&config, PARAMS_MAPPED, NULL));
}
