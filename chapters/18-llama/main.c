/* Chapter 18: the models after GPT-2. Loads a model of LLaMA's family, or GPT-2, and
 * writes text with it, or saves it in another form; trains one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/dump.h"
#include "10-gpt2/ids.h"
#include "10-gpt2/info.h"
#include "10-gpt2/model_tokenizer.h"
#include "12-generation/options.h"
#include "12-generation/writing.h"
#include "13-kv-cache/kv_cache.h"
#include "16-data-parallel/join_ranks.h"
#include "18-llama/chat.h"
#include "18-llama/experiments/experiments.h"
#include "18-llama/experiments/published.h"
#include "18-llama/llama_gguf.h"
#include "18-llama/llama_load.h"
#include "18-llama/llama_save.h"
#include "18-llama/llama_tokenizer.h"
#include "18-llama/llama_train.h"
#include "18-llama/permute_rope.h"
#include "18-llama/rope.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/random.h"
#include "program/program.h"

static WritingOptions options;
static RunOptions untouched; /* run_options as they were before main read its own */
static bool no_cache, info;
static const char *dump_path, *gguf_path, *save_path, *chat_text, *system_text;
static Team *team; /* processes that train together, or NULL */

/* Where an MPI is installed, chapter 16's takes its place (chapter.mk). */
__attribute__((weak)) Team *join_ranks(int *argc, char ***argv, const char *program) {
    (void)argc;
    (void)argv;
    (void)program;
    return NULL;
}

/* From ids to ids no tokenizer is needed. */
static TextModel load_model(void) {
    TextModel m = {.model = llama_load(options.model, PARAMS_MAPPED)};
    size_t n_vocab = m.model->config.n_vocab;
    bool ids_alone = info || dump_path || (options.ids && options.print_ids);
    if (!ids_alone && llama_is(options.model))
        m.tokenizer = llama_tokenizer_load(options.model, n_vocab);
    else if (!ids_alone)
        m.tokenizer = model_tokenizer(NULL, options.model, n_vocab);
    return m;
}

/* --chat: the message in the model's template, behind that of --system. */
static Prompt chat_prompt(const TextModel *m) {
    if (!m->tokenizer) die("--chat: the model has no tokenizer");
    ChatMessage messages[2] = {{"system", system_text}, {"user", chat_text}};
    size_t first = system_text ? 0 : 1;
    Prompt p = {0};
    p.tokens = chat_encode(m->tokenizer, messages + first, 2 - first, &p.n);
    return p;
}

/* A text begins with the token that the model expects there, if it has one. */
static Prompt make_prompt(const TextModel *m) {
    if (chat_text) return chat_prompt(m);
    Prompt p = writing_prompt(&options, m);
    int bos = m->tokenizer ? m->tokenizer->bos : -1;
    if (options.ids || bos < 0) return p;
    p.tokens = checked_realloc(p.tokens, p.n + 1, sizeof *p.tokens);
    memmove(p.tokens + 1, p.tokens, p.n++ * sizeof *p.tokens);
    p.tokens[0] = bos;
    return p;
}

static GenerateSettings make_settings(const TextModel *m) {
    GenerateSettings how = writing_settings(&options, m);
    if (chat_text && how.stop_token == NO_STOP_TOKEN)
        how.stop_token = chat_end(m->tokenizer);
    return how;
}

static void write_texts_of(const TextModel *m, uint64_t seed) {
    Prompt prompt = make_prompt(m);
    GenerateSettings how = make_settings(m);
    Transcript transcript = transcript_create(m->tokenizer, options.print_ids);
    size_t room = prompt.n + options.max_new_tokens, n_ctx = m->model->config.n_ctx;
    if (no_cache) {
        PlainModel plain = plain_model_create(m->model);
        write_texts(&transcript, plain_model(&plain), &prompt, &how, options.n_texts,
                    seed);
        plain_model_free(&plain);
    } else {
        KvCache cache =
            kv_cache_create(&m->model->config, 1, room < n_ctx ? room : n_ctx);
        CachedModel cached = cached_model_create(m->model, cache);
        write_texts(&transcript, cached_model(&cached), &prompt, &how, options.n_texts,
                    seed);
        cached_model_free(&cached);
    }
    transcript_free(&transcript);
    prompt_free(&prompt);
}

static void dump(Gpt2 *model) {
    size_t n;
    int *ids = ids_parse("--ids", options.ids, model->config.n_vocab, &n);
    gpt2_dump(model, ids, n, NULL, false, dump_path);
    free(ids);
}

/* --- without a model: what a rotation leaves of the positions --- */

enum { DIM = 64 }; /* features of a head of SmolLM2, whose base is 100000 */

static void table_of_turns(const float *frequencies) {
    printf("1. How many tokens a pair of a head takes to turn once.\n\n   pair     "
           "tokens\n");
    for (size_t i = 0; i < DIM / 2; i += i < 24 ? 8 : 7)
        printf("   %4zu %10.1f\n", i, 2 * 3.14159265358979 / (double)frequencies[i]);
}

/* q at position p times k at position j; qk is q | k, and v is not looked at. */
static double score_at(const float *qk, int p, int j, const float *frequencies) {
    float rows[2 * 3 * DIM] = {0}, turned[2 * 3 * DIM];
    memcpy(rows, qk, DIM * sizeof *qk);
    memcpy(rows + 4 * DIM, qk + DIM, DIM * sizeof *qk);
    rope_forward(turned, rows,
                 &(RopeShape){.rows = 2,
                              .n_head = 1,
                              .n_kv_head = 1,
                              .head_dim = DIM,
                              .positions = (int[]){p, j},
                              .frequencies = frequencies});
    double score = 0;
    for (size_t i = 0; i < DIM; i++)
        score += (double)turned[i] * (double)turned[4 * DIM + i];
    return score;
}

static void table_of_scores(const float *frequencies, uint64_t seed) {
    static const int places[][2] = {{0, 0},     {700, 700}, {5, 0},    {105, 100},
                                    {705, 700}, {40, 0},    {140, 100}};
    float right[2 * DIM], other[2 * DIM];
    Random random = random_create(seed);
    random_fill_normal(&random, right, 2 * DIM, 1);
    rope_to_gguf(other, right, 2, DIM, sizeof *right);
    printf("\n2. A random q at position p times a random k at position j; the last\n"
           "   column has both in the order of GGUF, and rotates as before.\n\n"
           "   %5s %5s %9s %10s %12s\n",
           "p", "j", "distance", "score", "other order");
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        int p = places[i][0], j = places[i][1];
        printf("   %5d %5d %9d %10.3f %12.3f\n", p, j, p - j,
               score_at(right, p, j, frequencies), score_at(other, p, j, frequencies));
    }
}

static void demo_rotation(uint64_t seed) {
    float frequencies[DIM / 2];
    rope_frequencies(frequencies, DIM, 1, 100000);
    table_of_turns(frequencies);
    table_of_scores(frequencies, seed);
}

/* --- what the options ask for --- */

static bool saves(void) {
    return gguf_path || save_path;
}

static void check_options(void) {
    if (!options.model && (info || dump_path || saves()))
        die_usage("--info, --dump, --save-gguf, --save-hf: need a --model");
    if (dump_path && !options.ids) die_usage("--dump: needs --ids");
    if (chat_text && (options.ids || options.prompt))
        die_usage("--chat: takes the place of --prompt and --ids");
    if (system_text && !chat_text) die_usage("--system: belongs to --chat");
}

static void save_directory(const TextModel *m) {
    Directory *directory = directory_open(save_path);
    llama_save(m->model, m->tokenizer, directory);
    directory_close(directory);
}

static void use_model(uint64_t seed) {
    TextModel m = load_model();
    if (info) gpt2_print_info(m.model);
    if (gguf_path) llama_gguf_save(m.model, m.tokenizer, gguf_path);
    if (save_path) save_directory(&m);
    if (dump_path) dump(m.model);
    if (!info && !saves() && !dump_path) write_texts_of(&m, seed);
    text_model_free(&m);
}

static void train(const Settings *settings) {
    const char *command = settings->arguments[settings->n_arguments - 1];
    if (settings->n_arguments > 1 || strcmp(command, "train") != 0)
        die_usage("'%s': expected train, and options", command);
    if (options.model || options.prompt || options.ids || chat_text)
        die_usage("train: makes a model; --model, --prompt, --ids and --chat are for "
                  "one that there is");
    run_options.family = &llama_family;
    run_options.team = team;
    run_catch_signals();
    run_training(&run_options, settings);
}

static void demo(const Settings *settings) {
    check_options();
    if (team && !settings->n_arguments)
        die_usage("several processes: only with the command train");
    bool for_training = memcmp(&untouched, &run_options, sizeof untouched) != 0;
    if (settings->n_arguments)
        train(settings);
    else if (for_training)
        die_usage("--steps, --save and what else says how to train: only with the "
                  "command train");
    else if (options.model)
        use_model(settings->seed);
    else
        demo_rotation(settings->seed);
}

int main(int argc, char **argv) {
    static const char name[] = "18-llama";
    static const Option own[] = {
        {"no-cache", OPTION_FLAG, &no_cache, "read everything again for each token", 0,
         0},
        {"chat", OPTION_TEXT, &chat_text, "a message that the model answers", 0, 0},
        {"system", OPTION_TEXT, &system_text, "with --chat: who it is told to be", 0,
         0},
        {"info", OPTION_FLAG, &info, "print config, parameters by part and memory", 0,
         0},
        {"dump", OPTION_TEXT, &dump_path,
         "write logits, hidden states and attentions of --ids to this file", 0, 0},
        {"save-gguf", OPTION_TEXT, &gguf_path, "write the model to this GGUF file", 0,
         0},
        {"save-hf", OPTION_TEXT, &save_path,
         "write the model to this Hugging Face directory", 0, 0},
        {"kv-heads", OPTION_SIZE, &llama_training.n_kv_head,
         "train: heads of keys and values; 0: as many as --heads", 0, 96},
        {"ffn", OPTION_SIZE, &llama_training.d_ff,
         "train: hidden units of the FFN; 0: 8/3 of --width", 0, 1e5},
        {"base", OPTION_DOUBLE, &llama_training.rope_base,
         "train: of the rotary positions", 1, 1e9},
        {0},
    };
    static const Experiment experiments[] = {
        {"five-steps", "from GPT-2 to LLaMA, and past the trained length",
         experiment_five_steps},
        {"lengths", "five kinds of positions inside of the trained length and past it",
         experiment_lengths},
        {"stretch", "rotary positions past the trained length, stretched or not",
         experiment_stretch},
        {"groups", "heads that share keys and values: loss and cache",
         experiment_groups},
        {"published-heads", "with --model: what each head looks at",
         experiment_published_heads},
        {"published-codecs", "with --model: what chapter 14's codecs cost it",
         experiment_published_codecs},
        {"published-positions", "with --model: loss by the tokens before",
         experiment_published_positions},
        {0},
    };
    team = join_ranks(&argc, &argv, name);
    options = writing_options();
    published_path = &options.model;
    memcpy(&untouched, &run_options, sizeof untouched);
    return program_run(
        argc, argv,
        &(Program){
            .name = name,
            .summary = "models of LLaMA's family: load, write, save. COMMAND train: "
                       "as run-11",
            .example = "--model DIR --prompt \"The capital of France is\" --greedy",
            .arguments = "[COMMAND]",
            .options = writing_option_table(&options, run_options_and(own)),
            .experiments = experiments,
            .demo = demo,
            .follows = team && !team->leads,
        });
}
