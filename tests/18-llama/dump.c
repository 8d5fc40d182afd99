/* --dump of models with rotated, shared keys and a gated FFN: what its tensors have to
 * do with each other. */
#include "../10-gpt2/dump_identities.h"
#include "10-gpt2/dump.h"
#include "18-llama/llama_load.h"
#include "check/golden.h"
#include "check/remove_tree.h"

Test(dump, streams_branches_scores_and_weights_belong_together, .timeout = 10) {
    static const char *const names[] = {"smol", "qwen", "llama3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char from[64], family[64], *directory = new_directory(),
                                   *path = path_join(directory, "dump.safetensors");
        snprintf(from, sizeof from, "llama/%s", names[i]);
        snprintf(family, sizeof family, "llama/%s/golden", names[i]);
        Gpt2 *model = llama_load(golden_path(from), PARAMS_MAPPED);
        size_t n;
        Gpt2Input row = {.tokens = golden_int(family, NULL, "ids", &n), .batch = 1};
        row.length = n;
        gpt2_dump(model, &row, NULL, false, path);
        SafeTensors dump = safetensors_open(path);
        check_identities(&dump, model);
        CHECK(safetensors_find(&dump, "ffn_gate.0"), "%s: no gates are dumped",
              names[i]);
        safetensors_close(&dump);
        gpt2_free(model);
        remove_tree(directory);
    }
}
