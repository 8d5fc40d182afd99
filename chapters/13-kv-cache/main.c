/* Chapter 13: the complete GPT-2. Writes text with the KV cache, shows that it writes
 * the same without, and measures both. */
#include <stdio.h>
#include <stdlib.h>

#include "12-generation/options.h"
#include "12-generation/writing.h"
#include "13-kv-cache/batch.h"
#include "13-kv-cache/bench.h"
#include "13-kv-cache/experiments/experiments.h"
#include "13-kv-cache/kv_cache.h"
#include "program/claim.h"
#include "text/corpus.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"
#include "base/size.h"
#include "program/program.h"

static WritingOptions options;
static bool no_cache, bench, grade, batch;
static const char *random_size;
static size_t bench_positions = 33, window, n_sink;

/* --- writing --- */

/* A cache for what the options ask for, and no more. */
static KvCache cache_for(const Gpt2Config *config, size_t n_prompt) {
    if (window) return kv_cache_create_window(config, 1, n_sink, window);
    return kv_cache_create(config, 1,
                           size_min(n_prompt + options.max_new_tokens, config->n_ctx));
}

static void write_one_by_one(Transcript *transcript, const TextModel *m,
                             uint64_t seed) {
    Prompt prompt = writing_prompt(&options, m);
    GenerateSettings how = writing_settings(&options, m);
    if (no_cache) {
        PlainModel plain = plain_model_create(m->model);
        write_texts(transcript, plain_model(&plain), &prompt, &how, options.n_texts,
                    seed);
        plain_model_free(&plain);
    } else {
        CachedModel cached =
            cached_model_create(m->model, cache_for(&m->model->config, prompt.n));
        write_texts(transcript, cached_model(&cached), &prompt, &how, options.n_texts,
                    seed);
        fprintf(stderr, "the cache took %zu bytes\n", kv_cache_bytes(&cached.cache));
        cached_model_free(&cached);
    }
    prompt_free(&prompt);
}

/* The grammar of the built-in corpus judges what was written: sentences and memory
 * apart. */
static void print_grade(char *text, size_t bytes) {
    size_t n = 0;
    /* the empty lines between the texts are none */
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] != '\n' || (n > 0 && text[n - 1] != '\n')) text[n++] = text[i];
    }
    CorpusGrade g = corpus_grade(text, n);
    printf("%zu lines: %zu are stories of the language, %zu of these answer their "
           "question right\n",
           g.stories, g.grammatical, g.right);
}

/* Largest difference of the logits of one forward pass and of the cache, token by
 * token. */
static void demo_equality(const Gpt2 *model) {
    size_t n = model->config.n_ctx, n_vocab = model->config.n_vocab;
    int *tokens = checked_alloc(n, sizeof *tokens);
    Random r = random_create(7);
    for (size_t i = 0; i < n; i++) tokens[i] = (int)random_below(&r, (uint32_t)n_vocab);
    Tape t = tape_for_inference(), cached_tape = tape_for_inference();
    const float *all =
        gpt2_logits(&t, model, &(Gpt2Input){.tokens = tokens, .batch = 1, .length = n})
            ->data;
    KvCache cache = kv_cache_create(&model->config, 1, n);
    double worst = 0;
    for (size_t i = 0; i < n; i++) {
        const float *one =
            kv_cache_logits(&cached_tape, model, &cache, tokens + i, 1, (size_t[]){1});
        worst = larger(worst, largest_difference(one, all + i * n_vocab, n_vocab));
    }
    claim(worst < 1e-5,
          "%zu tokens one by one through the cache: logits within 1e-5 of one forward "
          "pass",
          n);
    free(tokens);
    kv_cache_free(&cache);
    tape_free(&t);
    tape_free(&cached_tape);
}

static Gpt2 *random_model(const char *size, uint64_t seed) {
    Gpt2Config config = gpt2_named_config(size);
    Random init = random_create(seed);
    return gpt2_create(&config, PARAMS_INFER, &init);
}

static void check_options(void) {
    if (n_sink && !window) die_usage("--sinks %zu: needs a --window", n_sink);
    if (window && no_cache)
        die_usage("--window %zu: is a window of the cache; --no-cache has none",
                  window);
    if (batch && (no_cache || window))
        die_usage("--batch: is for the whole cache, without --no-cache or --window");
    if (bench &&
        (no_cache || batch || window || grade || options.prompt || options.ids))
        die_usage("--bench: measures both ways and takes no text, so without "
                  "--no-cache, --batch, --window, "
                  "--grade, --prompt and --ids");
    if (random_size && options.model)
        die_usage("--random and --model: expected one of them");
    if (grade && !options.stop_token)
        options.stop_token = "\\n"; /* a story ends with its line */
}

static void demo(const Settings *settings) {
    check_options();
    if (bench) expect_writable(settings->out);
    TextModel m = random_size
                      ? (TextModel){.model = random_model(random_size, settings->seed)}
                      : writing_model(&options, settings->seed);
    if (grade && !m.tokenizer)
        die("--grade: the model has no vocab.json and merges.txt to write text with");
    if (bench) {
        bench_cache(m.model, bench_positions, settings->out, "bench", 0);
    } else {
        if (!options.model && !random_size && !options.print_ids) {
            demo_equality(m.model);
            printf("a model of %zu parameters after a short training on the built-in "
                   "corpus goes on:\n",
                   params_count(&m.model->params));
        }
        Transcript transcript = transcript_create(m.tokenizer, options.print_ids);
        if (batch)
            write_batch(&transcript, &m, &options, settings->seed);
        else
            write_one_by_one(&transcript, &m, settings->seed);
        if (grade) print_grade(transcript.text, transcript.bytes);
        transcript_free(&transcript);
    }
    text_model_free(&m);
}

/* --model is an option of the writing programs: the experiment is told of it. */
static void run_sinks(const Settings *settings) {
    experiment_sinks(settings, options.model);
}

int main(int argc, char **argv) {
    static const Option own[] = {
        {"no-cache", OPTION_FLAG, &no_cache, "read everything again for each token", 0,
         0},
        {"window", OPTION_SIZE, &window, "keep only so many of the last tokens; 0: all",
         0, 1e6},
        {"sinks", OPTION_SIZE, &n_sink, "and so many of the first ones", 0, 1e6},
        {"batch", OPTION_FLAG, &batch,
         "all prompts at a time: lines of --prompt, or --ids \"1 2; 3\"", 0, 0},
        {"bench", OPTION_FLAG, &bench,
         "time per token against position, with and without the cache", 0, 0},
        {"bench-positions", OPTION_SIZE, &bench_positions, "at how many positions", 2,
         1e6},
        {"random", OPTION_TEXT, &random_size,
         "a random model: gpt2, gpt2-medium, gpt2-large, gpt2-xl", 0, 0},
        {"grade", OPTION_FLAG, &grade,
         "judge the lines by the grammar of the built-in corpus", 0, 0},
        {0},
    };
    static const Experiment experiments[] = {
        {"cache-memory", "memory of the cache against the tokens written",
         experiment_cache_memory},
        {"sinks", "perplexity against position with a cache that forgets", run_sinks},
        {0},
    };
    static const Experiment timed[] = {
        {"time-per-token", "time of a token against its position, small model",
         experiment_time_per_token},
        {"gpt2-124m", "the same for a model of GPT-2's size: 10 times faster",
         experiment_gpt2_124m},
        {0},
    };
    options = writing_options();
    options.sampling.temperature = 0.8;
    return program_run(
        argc, argv,
        &(Program){
            .name = "13-kv-cache",
            .summary = "the complete GPT-2: write text with the KV cache",
            .example =
                "--model build/model --prompt \"Anna puts\" --max-new-tokens 100",
            .options = writing_option_table(&options, own),
            .experiments = experiments,
            .timed = timed,
            .demo = demo,
        });
}
