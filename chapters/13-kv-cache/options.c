/* Writing with the cache, as the options say: see options.h. */
#include "13-kv-cache/options.h"

#include <stdio.h>

#include "12-generation/writing.h"
#include "13-kv-cache/batch.h"
#include "13-kv-cache/bench.h"
#include "13-kv-cache/draw.h"
#include "13-kv-cache/kv_cache.h"
#include "base/error.h"
#include "base/size.h"
#include "base/unicode.h"
#include "files/file.h"
#include "text/corpus.h"

Caching caching = {.bench_positions = 33};

const Option cache_options[] = {
    {"no-cache", OPTION_FLAG, &caching.no_cache, "read everything again for each token",
     0, 0},
    {"window", OPTION_SIZE, &caching.window,
     "keep only so many of the last tokens; 0: all", 0, 1e6},
    {"sinks", OPTION_SIZE, &caching.n_sink, "and so many of the first ones", 0, 1e6},
    {"batch", OPTION_FLAG, &caching.batch,
     "all prompts at a time: lines of --prompt, or --ids \"1 2; 3\"", 0, 0},
    {"bench", OPTION_FLAG, &caching.bench,
     "time per token against position, with and without the cache", 0, 0},
    {"bench-positions", OPTION_SIZE, &caching.bench_positions, "at how many positions",
     2, 1e6},
    {"draw", OPTION_TEXT, &caching.draw,
     "write a picture of the pass over the prompt to this SVG file, no text", 0, 0},
    {"draw-block", OPTION_SIZE, &caching.draw_block,
     "of this block alone, with the tokens beside it", 0, 1e6},
    {"grade", OPTION_FLAG, &caching.grade,
     "judge the lines by the grammar of the built-in corpus", 0, 0},
    {0},
};

void caching_check(const Settings *settings) {
    const Caching *c = &caching;
    if (c->n_sink && !c->window) die_usage("--sinks %zu: needs a --window", c->n_sink);
    if (c->window && c->no_cache)
        die_usage("--window %zu: is a window of the cache; --no-cache has none",
                  c->window);
    if (c->batch && (c->no_cache || c->window))
        die_usage("--batch: is for the whole cache, without --no-cache or --window");
    if (c->bench && (c->no_cache || c->batch || c->window || c->grade || is_prompted()))
        die_usage("--bench: measures both ways and takes no text, so without "
                  "--no-cache, --batch, --window, --grade, --prompt and --ids");
    if (c->draw && (c->bench || c->batch || c->grade || c->window))
        die_usage("--draw: not with --bench, --batch, --grade or --window");
    if (c->draw && writing.n_texts > 1)
        die_usage("--draw: one picture, without --num-return-sequences");
    if (option_is_given(&caching.draw_block) && !c->draw)
        die_usage("--draw-block %zu: belongs to --draw", c->draw_block);
    if (c->grade && !writing.stop_token)
        writing.stop_token = "\\n"; /* a story ends with its line */
    writing.needs_text = c->grade;
    if (c->bench) expect_writable(settings->out);
}

/* A cache for what the options ask for, and no more. */
static KvCache cache_for(const Gpt2Config *config, size_t n_prompt) {
    if (caching.window)
        return kv_cache_create_window(config, 1, caching.n_sink, caching.window);
    return kv_cache_create(config, 1,
                           size_min(n_prompt + writing.max_new_tokens, config->n_ctx));
}

static void write_one_by_one(Transcript *transcript, const TextModel *m,
                             uint64_t seed) {
    Prompt prompt = writing_prompt(m);
    GenerateSettings how = writing_settings(m);
    if (caching.no_cache) {
        PlainModel plain = plain_model_create(m->model);
        write_texts(transcript, plain_model(&plain), &prompt, &how, writing.n_texts,
                    seed);
        plain_model_free(&plain);
    } else {
        CachedModel cached =
            cached_model_create(m->model, cache_for(&m->model->config, prompt.n));
        write_texts(transcript, cached_model(&cached), &prompt, &how, writing.n_texts,
                    seed);
        if (caching.tells_bytes)
            fprintf(stderr, "the cache took %zu bytes\n",
                    kv_cache_bytes(&cached.cache));
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
    printf("%zu texts: ", g.stories);
    if (g.grammatical > 0)
        printf("%zu are grammatical, %zu of these answer their question right\n",
               g.grammatical, g.right);
    else
        printf("none follows the grammar yet\n");
}

static void draw_as_told(const TextModel *m) {
    GenerateSettings how = writing_settings(m);
    Prompt prompt = writing_prompt(m);
    bool one = option_is_given(&caching.draw_block);
    draw_prompt(m, &prompt, &how.sampling, one ? caching.draw_block : DRAW_ALL_BLOCKS,
                caching.draw);
    printf("written: %s\n", printable(caching.draw, PRINTABLE_MOST).text);
    prompt_free(&prompt);
}

void write_with_cache(const TextModel *m, const Settings *settings) {
    if (caching.grade && !m->tokenizer)
        die("--grade: the model has no vocab.json and merges.txt to write text with");
    if (caching.bench) {
        bench_cache(m->model, caching.bench_positions, settings->out, "bench", 0);
        return;
    }
    if (caching.draw) {
        draw_as_told(m);
        return;
    }
    Transcript transcript = transcript_create(m->tokenizer, writing.print_ids);
    if (caching.batch)
        write_batch(&transcript, m, settings->seed);
    else
        write_one_by_one(&transcript, m, settings->seed);
    if (caching.grade) print_grade(transcript.text, transcript.bytes);
    transcript_free(&transcript);
}

void write_as_told(const Settings *settings) {
    if (!model_is_named()) die_usage("write: a --model is needed");
    caching_check(settings);
    TextModel m = writing_model(settings->seed);
    write_with_cache(&m, settings);
    writing_model_free(&m);
}

Command write_command = {"write",
                         "goes on from a prompt",
                         "--model build/model --prompt \"Anna puts\"",
                         {model_options, ids_options, writing_options, cache_options},
                         write_as_told};
