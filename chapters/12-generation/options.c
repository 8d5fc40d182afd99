/* The options of the programs that write: see options.h. */
#include "12-generation/options.h"

#include <stdio.h>
#include <string.h>

#include "11-training/train.h"
#include "error.h"

enum { MAX_TABLE = 40 };

WriterOptions writer_options(void) {
    return (WriterOptions){
        .max_new_tokens = 160, .n_texts = 1, .temperature = 1, .top_p = 1, .repetition_penalty = 1};
}

const Option *writer_option_table(WriterOptions *o, const Option *own) {
    const Option shared[] = {
        {"model", OPTION_TEXT, &o->model, "directory of a model, e.g. build/model", 0, 0},
        {"prompt", OPTION_TEXT, &o->prompt,
         "what to go on from (a line feed, unless given); - reads standard input", 0, 0},
        {"ids", OPTION_TEXT, &o->ids, "the prompt as token ids", 0, 0},
        {"print-ids", OPTION_FLAG, &o->print_ids, "print token ids, not text", 0, 0},
        {"max-new-tokens", OPTION_SIZE, &o->max_new_tokens, "length of the text", 1, 1e6},
        {"min-new-tokens", OPTION_SIZE, &o->min_new_tokens, "no stop token before so many", 0, 1e6},
        {"stop-token", OPTION_TEXT, &o->stop_token, "ends the text: an id, or a text that is one token", 0,
         0},
        {"crop", OPTION_FLAG, &o->crop, "past the context: go on from its last tokens", 0, 0},
        {"greedy", OPTION_FLAG, &o->greedy, "always the likeliest token", 0, 0},
        {"temperature", OPTION_DOUBLE, &o->temperature, "above 1 flatter, below 1 sharper", 1e-6, 1e6},
        {"top-k", OPTION_SIZE, &o->top_k, "only the k likeliest; 0: off", 0, 1e9},
        {"top-p", OPTION_DOUBLE, &o->top_p, "only the likeliest that make up p; 1: off", 1e-9, 1},
        {"repetition-penalty", OPTION_DOUBLE, &o->repetition_penalty,
         "against tokens that were there; 1: off", 1e-6, 1e6},
        {"num-return-sequences", OPTION_SIZE, &o->n_texts, "how many texts", 1, 1e6},
    };
    static Option table[MAX_TABLE];
    size_t n = sizeof shared / sizeof *shared, n_own = 0;
    while (own && own[n_own].name) n_own++;
    if (n + n_own >= MAX_TABLE) die("too many options: %zu", n + n_own);
    memcpy(table, shared, sizeof shared);
    if (n_own) memcpy(table + n, own, n_own * sizeof *own);
    return table; /* static, so the rest is {0} */
}

Writer writer_open(const WriterOptions *o, uint64_t seed) {
    static const SmallModel size = {.n_layer = 2, .d_model = 64, .n_ctx = 64, .steps = 150};
    Writer w = o->model ? writer_load(o->model) : writer_train(seed, &size);
    w.print_ids = w.print_ids || o->print_ids;
    return w;
}

void writer_take_prompt(Writer *w, const WriterOptions *o) {
    if (o->ids) {
        writer_set_ids(w, o->ids);
    } else {
        writer_set_prompt(w, o->prompt ? o->prompt : "\n");
    }
}

GenerateSettings writer_settings(const Writer *w, const WriterOptions *o) {
    if (o->ids && o->prompt) die_usage("--ids and --prompt: expected one of them");
    GenerateSettings g = {
        .sampling = {.greedy = o->greedy,
                     .temperature = o->temperature,
                     .top_k = o->top_k,
                     .top_p = o->top_p,
                     .repetition_penalty = o->repetition_penalty},
        .max_new_tokens = o->max_new_tokens,
        .min_new_tokens = o->min_new_tokens,
        .stop_token = o->stop_token ? writer_token(w, o->stop_token) : NO_STOP_TOKEN,
        .crop = o->crop,
    };
    sampling_check(&g.sampling);
    if (g.min_new_tokens > g.max_new_tokens) {
        die_usage("--min-new-tokens %zu: expected at most --max-new-tokens %zu", g.min_new_tokens,
                  g.max_new_tokens);
    }
    return g;
}

Random writer_random(uint64_t seed, size_t i) {
    return random_stream(seed, STREAM_SAMPLING + i);
}

void writer_write_texts(Writer *w, LanguageModel lm, const WriterOptions *o, uint64_t seed) {
    GenerateSettings settings = writer_settings(w, o);
    for (size_t i = 0; i < o->n_texts; i++) {
        if (o->n_texts > 1) printf("--- %zu\n", i + 1);
        Random random = writer_random(seed, i);
        writer_write(w, lm, &settings, &random);
    }
    latency_print(&w->latency);
}
