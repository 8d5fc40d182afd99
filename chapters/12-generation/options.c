/* The options of the programs that write: see options.h. */
#include "12-generation/options.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

Writing writing = {
    .max_new_tokens = 160,
    .n_texts = 1,
    .sampling = {.temperature = 1, .top_p = 1, .repetition_penalty = 1},
    .made_stop = NO_STOP_TOKEN,
};

const Option writing_options[] = {
    {"prompt", OPTION_TEXT, &writing.prompt,
     "what to go on from (a line feed, unless given); - reads standard input", 0, 0},
    {"special", OPTION_FLAG, &writing.special,
     "special tokens that --prompt spells are tokens; without it they are text", 0, 0},
    {"print-ids", OPTION_FLAG, &writing.print_ids, "print token ids, not text", 0, 0},
    {"max-new-tokens", OPTION_SIZE, &writing.max_new_tokens, "length of the text", 1,
     1e6},
    {"min-new-tokens", OPTION_SIZE, &writing.min_new_tokens,
     "no stop token before so many", 0, 1e6},
    {"stop-token", OPTION_TEXT, &writing.stop_token,
     "ends the text: an id, or a text that is one token", 0, 0},
    {"crop", OPTION_FLAG, &writing.crop, "past the context: go on from its last tokens",
     0, 0},
    {"greedy", OPTION_FLAG, &writing.sampling.greedy, "always the likeliest token", 0,
     0},
    {"temperature", OPTION_DOUBLE, &writing.sampling.temperature,
     "above 1 flatter, below 1 sharper", 1e-6, 1e6},
    {"top-k", OPTION_SIZE, &writing.sampling.top_k, "only the k likeliest; 0: off", 0,
     1e9},
    {"top-p", OPTION_DOUBLE, &writing.sampling.top_p,
     "only the likeliest that make up p; 1: off", 1e-9, 1},
    {"repetition-penalty", OPTION_DOUBLE, &writing.sampling.repetition_penalty,
     "against tokens that were there; 1: off", 1e-6, 1e6},
    {"num-return-sequences", OPTION_SIZE, &writing.n_texts, "how many texts", 1, 1e6},
    {"no-prepare", OPTION_FLAG, &writing.no_prepare,
     "read the weights as the file has them", 0, 0},
    {0},
};

bool is_prompted(void) {
    return writing.prompt || reading.ids || writing.made.tokens;
}

TextModel writing_model(uint64_t seed) {
    static const SmallModel size = {
        .n_layer = 2, .d_model = 64, .n_ctx = 64, .steps = 150};
    if (!model_is_named()) return text_model_train(seed, &size);
    TextModel m = {.model = reading_model(seed, PARAMS_MAPPED)};
    bool ids_alone = reading.ids && writing.print_ids && !writing.stop_token;
    if (writing.needs_text || !ids_alone) m.tokenizer = reading_tokenizer(m.model);
    return m;
}

void writing_model_free(TextModel *m) {
    reading_free(m->model);
    m->model = NULL;
    text_model_free(m);
}

/* Whether repacking the weights pays: for a text that is long enough, and weights that
 * are too large for the caches. Blocks of 4 to 8 bits a number are unpacked for each
 * token until then, so few tokens pay for it. */
static bool repacking_pays(const Gpt2 *model) {
    enum { TOKENS = 32, TOKENS_IN_BLOCKS = 12, BYTES = 16 << 20 };
    size_t bytes = params_bytes(&model->params),
           tokens =
               bytes < 2 * params_count(&model->params) ? TOKENS_IN_BLOCKS : TOKENS;
    return !writing.no_prepare && bytes >= BYTES &&
           writing.max_new_tokens * writing.n_texts >= tokens;
}

Prompt writing_prompt(const TextModel *m) {
    if (writing.made.tokens) {
        Prompt p = {checked_alloc(writing.made.n, sizeof *p.tokens), writing.made.n};
        memcpy(p.tokens, writing.made.tokens, p.n * sizeof *p.tokens);
        return p;
    }
    return reading.ids ? prompt_of_ids(m, reading.ids, reading.attention_mask)
                       : prompt_of_text(m, writing.prompt ? writing.prompt : "\n",
                                        writing.special);
}

GenerateSettings writing_settings(const TextModel *m) {
    if (reading.ids && writing.prompt)
        die_usage("--ids and --prompt: expected one of them");
    if (reading.attention_mask && !reading.ids)
        die_usage("--attention-mask: belongs to --ids");
    if (writing.special && !writing.prompt) die_usage("--special: belongs to --prompt");
    GenerateSettings g = {
        .sampling = writing.sampling,
        .max_new_tokens = writing.max_new_tokens,
        .min_new_tokens = writing.min_new_tokens,
        .stop_token = writing.stop_token ? text_model_token(m, writing.stop_token)
                                         : writing.made_stop,
        .crop = writing.crop,
        .repack = repacking_pays(m->model) ? m->model : NULL,
    };
    if (m->tokenizer) {
        g.ends = m->tokenizer->ends;
        g.n_ends = m->tokenizer->n_ends;
    }
    sampling_check(&g.sampling);
    if (g.min_new_tokens > g.max_new_tokens) {
        die_usage("--min-new-tokens %zu: expected at most --max-new-tokens %zu",
                  g.min_new_tokens, g.max_new_tokens);
    }
    return g;
}
