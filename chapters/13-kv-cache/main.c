/* Chapter 13: the complete GPT-2. Writes text with the KV cache, shows that it writes the same without, and
 * measures both. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "11-training/train.h"
#include "12-generation/writer.h"
#include "13-kv-cache/kv_cache.h"
#include "clock.h"
#include "corpus.h"
#include "csv.h"
#include "error.h"
#include "program.h"

static const char *model_directory, *prompt = "\n", *ids_text;
static size_t max_new_tokens = 160, top_k, n_texts = 1;
static double temperature = 0.8, top_p = 1, repetition_penalty = 1;
static bool greedy, no_cache, bench, grade;

static GenerateSettings generate_settings(const Tokenizer *tokenizer) {
    SamplingSettings sampling = {greedy, temperature, top_k, top_p, repetition_penalty};
    sampling_check(&sampling);
    GenerateSettings g = {sampling, max_new_tokens, NO_STOP_TOKEN};
    if (grade && tokenizer) { /* a story ends with its line */
        size_t n;
        int *newline = tokenizer_encode(tokenizer, "\n", 1, false, &n);
        g.stop_token = newline[0];
        free(newline);
    }
    return g;
}

/* Seconds for each token of a greedy continuation of one token; the model's context is the limit. */
static void time_tokens(LanguageModel lm, size_t n, double *seconds, int *tokens) {
    GenerateSettings g = {.sampling = {.greedy = true, .temperature = 1, .top_p = 1, .repetition_penalty = 1},
                          .max_new_tokens = 1};
    g.stop_token = NO_STOP_TOKEN;
    tokens[0] = 0;
    for (size_t i = 1; i < n; i++) {
        double started = clock_seconds();
        generate(tokens, i, lm, &g, NULL, NULL, NULL);
        seconds[i] = clock_seconds() - started;
    }
}

static void print_bench(const Gpt2 *model, const char *out) {
    size_t n = model->config.n_ctx;
    double *with = checked_alloc(n, sizeof *with), *without = checked_alloc(n, sizeof *without);
    int *tokens = checked_alloc(n + 1, sizeof *tokens),
        *tokens_without = checked_alloc(n + 1, sizeof *tokens_without);
    CachedModel cached = cached_model_create(model, n);
    PlainModel plain = plain_model_create(model);
    time_tokens(cached_model(&cached), n, with, tokens);
    time_tokens(plain_model(&plain), n, without, tokens_without);
    Csv csv = csv_begin(out, "13-time-per-token", "position,with_cache_ms,without_cache_ms");
    printf("%9s %14s %17s\n", "position", "with cache", "without (ms/token)");
    for (size_t i = 1; i < n; i++) {
        csv_row(&csv, "%zu,%.4g,%.4g", i, 1e3 * with[i], 1e3 * without[i]);
        if ((i & (i - 1)) == 0 || i + 1 == n)
            printf("%9zu %14.3f %17.3f\n", i, 1e3 * with[i], 1e3 * without[i]);
    }
    csv_commit(&csv);
    printf("the cache takes %zu bytes = 2 * %zu layers * %zu tokens * %zu * 4\n",
           kv_cache_bytes(&cached.cache), model->config.n_layer, n, model->config.block.d_model);
    claim(memcmp(tokens, tokens_without, n * sizeof *tokens) == 0,
          "the same %zu tokens with and without the cache", n - 1);
    cached_model_free(&cached);
    plain_model_free(&plain);
    free(with);
    free(without);
    free(tokens);
    free(tokens_without);
}

/* Writes the texts; returns the number of new tokens. */
static size_t write_texts(Writer *w, const Settings *settings, bool use_cache) {
    GenerateSettings g = generate_settings(w->tokenizer);
    size_t n_ctx = w->model->config.n_ctx, wanted = w->n_prompt + max_new_tokens, n = 0;
    CachedModel cached = cached_model_create(w->model, wanted < n_ctx ? wanted : n_ctx);
    PlainModel plain = plain_model_create(w->model);
    for (size_t i = 0; i < n_texts; i++) {
        if (n_texts > 1) printf("--- %zu\n", i + 1);
        Random random = random_stream(settings->seed, STREAM_SAMPLING + i);
        n += writer_write(w, use_cache ? cached_model(&cached) : plain_model(&plain), &g, &random);
    }
    cached_model_free(&cached);
    plain_model_free(&plain);
    return n;
}

/* Largest difference of the logits of one forward pass and of the cache, token by token. */
static void demo_equality(const Gpt2 *model) {
    size_t n = model->config.n_ctx;
    int *tokens = checked_alloc(n, sizeof *tokens);
    Random r = random_create(7);
    for (size_t i = 0; i < n; i++) tokens[i] = (int)random_below(&r, (uint32_t)model->config.n_vocab);
    Tape t = tape_create(0), cached_tape = tape_create(0);
    t.recording = t.training = false;
    size_t n_vocab = model->config.n_vocab;
    const float *all = gpt2_logits(&t, model, &(Gpt2Input){.tokens = tokens, .batch = 1, .length = n})->data;
    KvCache cache = kv_cache_create(&model->config, 1, n);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const float *one = kv_cache_logits(&cached_tape, model, &cache, tokens + i, 1, (size_t[]){1});
        for (size_t v = 0; v < n_vocab; v++) {
            double difference = (double)one[v] - (double)all[i * n_vocab + v];
            worst = difference > worst ? difference : -difference > worst ? -difference : worst;
        }
    }
    claim(worst < 1e-5, "%zu tokens one by one through the cache: logits within 1e-5 of one forward pass", n);
    free(tokens);
    kv_cache_free(&cache);
    tape_free(&t);
    tape_free(&cached_tape);
}

/* The grammar of the built-in corpus judges what was written: sentences and memory apart. */
static void print_grade(Writer *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->n_written; i++) { /* the empty lines between the texts are none */
        if (w->written[i] != '\n' || (n > 0 && w->written[n - 1] != '\n')) w->written[n++] = w->written[i];
    }
    CorpusGrade g = corpus_grade(w->written, n);
    printf("%zu lines: %zu are stories of the language, %zu of these answer their question right\n",
           g.stories, g.grammatical, g.right);
}

static void demo(const Settings *settings) {
    Writer w = model_directory ? writer_load(model_directory) : writer_train(settings->seed, 150);
    if (ids_text) {
        writer_set_ids(&w, ids_text);
    } else {
        writer_set_prompt(&w, prompt);
    }
    if (bench) {
        print_bench(w.model, settings->out);
    } else {
        if (!model_directory) {
            demo_equality(w.model);
            printf(
                "a model of %zu parameters after 150 steps on the built-in corpus goes on from a newline:\n",
                params_count(&w.model->params));
        }
        double started = clock_seconds();
        size_t n = write_texts(&w, settings, !no_cache);
        if (grade) print_grade(&w);
        fprintf(stderr, "%.0f tokens/s %s the cache\n", (double)n / (clock_seconds() - started),
                no_cache ? "without" : "with");
    }
    writer_free(&w);
}

static void experiment_time(const Settings *settings) {
    Gpt2Config config = gpt2_config(257, settings->quick ? 128 : 512, 4, 4, 128);
    Random init = random_create(settings->seed);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, &init);
    print_bench(model, settings->out);
    gpt2_free(model);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"model", OPTION_TEXT, &model_directory, "directory of a model, e.g. build/model", 0, 0},
        {"prompt", OPTION_TEXT, &prompt, "what to go on from; - reads standard input", 0, 0},
        {"ids", OPTION_TEXT, &ids_text, "the prompt as token ids", 0, 0},
        {"max-new-tokens", OPTION_SIZE, &max_new_tokens, "length of the text", 1, 1e6},
        {"no-cache", OPTION_FLAG, &no_cache, "read everything again for each token", 0, 0},
        {"bench", OPTION_FLAG, &bench, "time per token against position, with and without the cache", 0, 0},
        {"grade", OPTION_FLAG, &grade, "judge the lines by the grammar of the built-in corpus", 0, 0},
        {"greedy", OPTION_FLAG, &greedy, "always the likeliest token", 0, 0},
        {"temperature", OPTION_DOUBLE, &temperature, "above 1 flatter, below 1 sharper", 1e-6, 1e6},
        {"top-k", OPTION_SIZE, &top_k, "only the k likeliest; 0: off", 0, 1e9},
        {"top-p", OPTION_DOUBLE, &top_p, "only the likeliest that make up p; 1: off", 1e-9, 1},
        {"repetition-penalty", OPTION_DOUBLE, &repetition_penalty, "against tokens that were there; 1: off",
         1e-6, 1e6},
        {"num-return-sequences", OPTION_SIZE, &n_texts, "how many texts", 1, 1e6},
        {0},
    };
    static const Experiment experiments[] = {
        {"time-per-token", "milliseconds a token against position, with and without the cache",
         experiment_time},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "13-kv-cache",
                           .summary = "the complete GPT-2: write text with the KV cache",
                           .example = "--model build/model --prompt \"Anna puts\" --max-new-tokens 100",
                           .options = options,
                           .experiments = experiments,
                           .demo = demo,
                       });
}
