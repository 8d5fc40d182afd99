/* Names of parameters: see llama_names.h. */
#include "18-llama/llama_names.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

/* Without ".weight" and ".bias"; in a block behind "h.N.", "model.layers.N." and
 * "blk.N.". */
static const struct {
    const char *ours, *theirs[2][LLAMA_MOST_PARTS];
} names[] = {{"wte", {{"model.embed_tokens"}, {"token_embd"}}},
             {"ln_1", {{"input_layernorm"}, {"attn_norm"}}},
             {"attn.c_attn",
              {{"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
               {"attn_q", "attn_k", "attn_v"}}},
             {"attn.c_proj", {{"self_attn.o_proj"}, {"attn_output"}}},
             {"ln_2", {{"post_attention_layernorm"}, {"ffn_norm"}}},
             {"mlp.c_fc", {{"mlp.up_proj"}, {"ffn_up"}}},
             {"mlp.c_gate", {{"mlp.gate_proj"}, {"ffn_gate"}}},
             {"mlp.c_proj", {{"mlp.down_proj"}, {"ffn_down"}}},
             {"ln_f", {{"model.norm"}, {"output_norm"}}},
             {"lm_head", {{"lm_head"}, {"output"}}}};

size_t llama_names(char out[LLAMA_MOST_PARTS][LLAMA_NAME], const char *ours,
                   LlamaNames format) {
    size_t layer, n = 0;
    int begin = 0;
    char block[40] = "";
    if (sscanf(ours, "h.%zu.%n", &layer, &begin) == 1 && begin)
        snprintf(block, sizeof block,
                 format == NAMES_GGUF ? "blk.%zu." : "model.layers.%zu.", layer);
    const char *part = ours + begin, *end = strrchr(part, '.');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i].ours);
        if (end != part + length || strncmp(part, names[i].ours, length) != 0) continue;
        const char *const *theirs = names[i].theirs[format];
        for (; n < LLAMA_MOST_PARTS && theirs[n]; n++)
            snprintf(out[n], LLAMA_NAME, "%s%s%s", block, theirs[n], end);
        return n;
    }
    die("parameter '%s' has no name in other files", ours);
}

bool llama_is_qkv(const char *ours) {
    return strstr(ours, ".c_attn.") != NULL;
}
