/* Any bytes as the adapter_config.json of a change that PEFT saved. */
#include <stdlib.h>

#include "10-gpt2/checkpoint.h"
#include "19-fine-tuning/peft.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_model.h"

FUZZ_TARGET(adapter) {
    size_t n;
    char *weights =
        file_read("tests/golden/adapters/gpt2/adapter_model.safetensors", &n);
    fuzz_write("adapter_model.safetensors", weights, n);
    free(weights);
    fuzz_write("adapter_config.json", data, size);
    Gpt2 *model = gpt2_load("tests/golden/tiny_gpt2", PARAMS_TRAIN);
    Adapters adapters = peft_load(model, fuzz_path("."));
    adapters_merge(&adapters);
    adapters_free(&adapters);
    run_and_free(model);
}
