/* The options of the programs that write: see options.h. */
#include "12-generation/options.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { MAX_TABLE = 60 };

WritingOptions writing_options(void) {
    return (WritingOptions){
        .max_new_tokens = 160, .n_texts = 1, .sampling = sampling_settings()};
}

const Option *writing_option_table(WritingOptions *o, const Option *own) {
    const Option shared[] = {
        {"model", OPTION_TEXT, &o->model,
         "directory of a model, e.g. build/model, or a GGUF file", 0, 0},
        {"prompt", OPTION_TEXT, &o->prompt,
         "what to go on from (a line feed, unless given); - reads standard input", 0,
         0},
        {"ids", OPTION_TEXT, &o->ids, "the prompt as token ids", 0, 0},
        {"print-ids", OPTION_FLAG, &o->print_ids, "print token ids, not text", 0, 0},
        {"max-new-tokens", OPTION_SIZE, &o->max_new_tokens, "length of the text", 1,
         1e6},
        {"min-new-tokens", OPTION_SIZE, &o->min_new_tokens,
         "no stop token before so many", 0, 1e6},
        {"stop-token", OPTION_TEXT, &o->stop_token,
         "ends the text: an id, or a text that is one token", 0, 0},
        {"crop", OPTION_FLAG, &o->crop, "past the context: go on from its last tokens",
         0, 0},
        {"greedy", OPTION_FLAG, &o->sampling.greedy, "always the likeliest token", 0,
         0},
        {"temperature", OPTION_DOUBLE, &o->sampling.temperature,
         "above 1 flatter, below 1 sharper", 1e-6, 1e6},
        {"top-k", OPTION_SIZE, &o->sampling.top_k, "only the k likeliest; 0: off", 0,
         1e9},
        {"top-p", OPTION_DOUBLE, &o->sampling.top_p,
         "only the likeliest that make up p; 1: off", 1e-9, 1},
        {"repetition-penalty", OPTION_DOUBLE, &o->sampling.repetition_penalty,
         "against tokens that were there; 1: off", 1e-6, 1e6},
        {"num-return-sequences", OPTION_SIZE, &o->n_texts, "how many texts", 1, 1e6},
        {"no-prepare", OPTION_FLAG, &o->no_prepare,
         "read the weights as the file has them", 0, 0},
        {"integer", OPTION_FLAG, &o->integer,
         "multiply Q8_0, Q4_0 and Q4_1 in whole numbers, with inputs of 8 bits", 0, 0},
    };
    static Option table[MAX_TABLE];
    size_t n = sizeof shared / sizeof *shared, n_own = 0;
    while (own && own[n_own].name) n_own++;
    if (n + n_own >= MAX_TABLE) die("too many options: %zu", n + n_own);
    memcpy(table, shared, sizeof shared);
    if (n_own) memcpy(table + n, own, n_own * sizeof *own);
    return table; /* static, so the rest is {0} */
}

TextModel writing_model(const WritingOptions *o, uint64_t seed) {
    static const SmallModel size = {
        .n_layer = 2, .d_model = 64, .n_ctx = 64, .steps = 150};
    return o->model ? text_model_load(o->model) : text_model_train(seed, &size);
}

/* Does it pay to lay the weights out: for a text that is long enough, and weights that
 * are too large for the caches. Those in blocks, of 4 to 8 bits a number, are unpacked
 * for each token until they are laid out, so few tokens pay for it. */
static bool layout_pays(const WritingOptions *o, const Gpt2 *model) {
    enum { TOKENS = 32, TOKENS_IN_BLOCKS = 12, BYTES = 16 << 20 };
    size_t bytes = params_bytes(&model->params),
           tokens =
               bytes < 2 * params_count(&model->params) ? TOKENS_IN_BLOCKS : TOKENS;
    return !o->no_prepare && bytes >= BYTES && o->max_new_tokens * o->n_texts >= tokens;
}

void writing_integers(const WritingOptions *o, Gpt2 *model) {
    if (o->integer && gpt2_use_integers(model) == 0)
        fprintf(stderr, "--integer: no matrix of the model is Q8_0, Q4_0 or Q4_1; all "
                        "are multiplied as floats\n");
}

Prompt writing_prompt(const WritingOptions *o, const TextModel *m) {
    return o->ids ? prompt_of_ids(m, o->ids)
                  : prompt_of_text(m, o->prompt ? o->prompt : "\n");
}

GenerateSettings writing_settings(const WritingOptions *o, const TextModel *m) {
    if (o->ids && o->prompt) die_usage("--ids and --prompt: expected one of them");
    writing_integers(o, m->model);
    GenerateSettings g = {
        .sampling = o->sampling,
        .max_new_tokens = o->max_new_tokens,
        .min_new_tokens = o->min_new_tokens,
        .stop_token =
            o->stop_token ? text_model_token(m, o->stop_token) : NO_STOP_TOKEN,
        .crop = o->crop,
        .lay_out = layout_pays(o, m->model) ? m->model : NULL,
    };
    sampling_check(&g.sampling);
    if (g.min_new_tokens > g.max_new_tokens) {
        die_usage("--min-new-tokens %zu: expected at most --max-new-tokens %zu",
                  g.min_new_tokens, g.max_new_tokens);
    }
    return g;
}
