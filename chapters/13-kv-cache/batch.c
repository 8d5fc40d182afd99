/* Several texts at a time: see batch.h. */
#include "13-kv-cache/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "12-generation/options.h"
#include "12-generation/writing.h"
#include "base/clock.h"
#include "base/error.h"
#include "files/file.h"
#include "base/memory.h"

static size_t longest_prompt(const BatchRow *rows, size_t n_rows, size_t n_ctx) {
    size_t longest = 0;
    for (size_t b = 0; b < n_rows; b++) {
        if (rows[b].n == 0 || rows[b].n > n_ctx)
            die("prompt %zu has %zu tokens: expected 1 to %zu", b + 1, rows[b].n,
                n_ctx);
        longest = rows[b].n > longest ? rows[b].n : longest;
    }
    return longest;
}

/* One more token for each row that has not ended; `fed` and `n_new` become the input of
 * the next pass. Returns how many rows go on. */
static size_t take_tokens(BatchRow *rows, size_t n_rows, int *fed, size_t *n_new,
                          SamplingMemory *memory, const float *logits, size_t n_ctx,
                          const GenerateSettings *settings) {
    size_t going = 0;
    for (size_t b = 0; b < n_rows; b++) {
        BatchRow *r = &rows[b];
        if (n_new[b] == 0) continue;
        int token = generate_next(memory, logits + b * memory->n_vocab, r->tokens, r->n,
                                  r->n - r->n_prompt, settings, &r->random);
        r->tokens[r->n++] = fed[b] = token;
        bool ended = generate_is_stop(settings, token) ||
                     r->n - r->n_prompt == settings->max_new_tokens || r->n > n_ctx;
        n_new[b] = ended ? 0 : 1;
        going += n_new[b];
    }
    return going;
}

void generate_batch(BatchRow *rows, size_t n_rows, const Gpt2 *model,
                    const GenerateSettings *settings) {
    const Gpt2Config *config = &model->config;
    size_t length = longest_prompt(rows, n_rows, config->n_ctx),
           most = length + settings->max_new_tokens;
    KvCache cache =
        kv_cache_create(config, n_rows, most < config->n_ctx ? most : config->n_ctx);
    Tape tape = tape_for_inference();
    /* padding is token 0 */
    int *fed = checked_alloc(size_mul(n_rows, length), sizeof *fed);
    size_t *n_new = checked_alloc(n_rows, sizeof *n_new);
    SamplingMemory memory = sampling_memory(config->n_vocab);
    for (size_t b = 0; b < n_rows; b++) {
        rows[b].n_prompt = n_new[b] = rows[b].n;
        memcpy(fed + b * length, rows[b].tokens, rows[b].n * sizeof *fed);
    }
    const float *logits = kv_cache_logits(&tape, model, &cache, fed, length, n_new);
    while (take_tokens(rows, n_rows, fed, n_new, &memory, logits, config->n_ctx,
                       settings)) {
        logits = kv_cache_logits(&tape, model, &cache, fed, 1, n_new);
    }
    kv_cache_free(&cache);
    tape_free(&tape);
    free(fed);
    free(n_new);
    sampling_memory_free(&memory);
}

/* --- the option --batch --- */

/* The parts of a text between separators; an empty one behind the last separator is
 * none. */
static size_t count_parts(const char *text, size_t bytes, char separator) {
    size_t n = 0;
    for (size_t i = 0; i < bytes; i++) n += text[i] == separator || i + 1 == bytes;
    return n > 0 ? n : 1;
}

static char *copy_of(const char *part, size_t bytes) {
    char *copy = checked_alloc(bytes + 1, 1);
    memcpy(copy, part, bytes);
    return copy;
}

/* Of --attention-mask, the part of prompt k; NULL where there is none. */
static char *mask_of(size_t k) {
    const char *at = reading.attention_mask;
    if (!at) return NULL;
    while (k-- > 0) at = strchr(at, ';') + 1;
    return copy_of(at, strcspn(at, ";"));
}

static Prompt parse_part(const TextModel *m, const char *part, size_t bytes, size_t k) {
    if (!reading.ids) return prompt_of_bytes(m, part, bytes, writing.special);
    char *ids = copy_of(part, bytes), *mask = mask_of(k);
    Prompt prompt = prompt_of_ids(m, ids, mask);
    free(ids);
    free(mask);
    return prompt;
}

static void check_mask(size_t n_prompts) {
    const char *mask = reading.attention_mask;
    if (!mask) return;
    size_t n = count_parts(mask, strlen(mask), ';');
    if (n != n_prompts)
        die("--attention-mask: of %zu prompts, --ids has %zu", n, n_prompts);
}

/* n_texts rows for each prompt, side by side. */
static BatchRow *parse_rows(const TextModel *m, uint64_t seed, size_t *n_rows) {
    const char *ids = reading.ids, *text = ids              ? ids
                                           : writing.prompt ? writing.prompt
                                                            : "\n";
    char separator = ids ? ';'
                     : writing.prompt
                         ? '\n'
                         : '\0'; /* the default, a line feed, is one prompt */
    size_t bytes = strlen(text);
    char *input = !ids && strcmp(text, "-") == 0 ? file_read(text, &bytes)
                                                 : checked_strdup(text),
         *part = input;
    size_t n_prompts = count_parts(input, bytes, separator);
    check_mask(n_prompts);
    *n_rows = n_prompts * writing.n_texts;
    BatchRow *rows = checked_alloc(*n_rows, sizeof *rows);
    for (size_t b = 0; b < *n_rows; b += writing.n_texts) {
        char *end = memchr(part, separator, (size_t)(input + bytes - part));
        if (!end) end = input + bytes;
        Prompt prompt = parse_part(m, part, (size_t)(end - part), b / writing.n_texts);
        for (size_t i = b; i < b + writing.n_texts; i++) {
            rows[i] = (BatchRow){.n = prompt.n, .random = writing_random(seed, i)};
            rows[i].tokens =
                checked_alloc(prompt.n + writing.max_new_tokens, sizeof *prompt.tokens);
            memcpy(rows[i].tokens, prompt.tokens, prompt.n * sizeof *prompt.tokens);
        }
        prompt_free(&prompt);
        part = end + 1;
    }
    free(input);
    return rows;
}

void write_batch(Transcript *transcript, const TextModel *m, uint64_t seed) {
    GenerateSettings settings = writing_settings(m);
    if (settings.crop) die_usage("--crop: a batch ends with the context");
    size_t n_rows, n_new = 0;
    BatchRow *rows = parse_rows(m, seed, &n_rows);
    if (settings.repack) gpt2_repack(settings.repack);
    double started = clock_seconds();
    generate_batch(rows, n_rows, m->model, &settings);
    double seconds = clock_seconds() - started;
    for (size_t b = 0; b < n_rows; b++) {
        if (n_rows > 1) printf("--- %zu\n", b + 1);
        for (size_t i = 0; i < rows[b].n; i++)
            transcript_token(transcript, rows[b].tokens[i]);
        transcript_end(transcript);
        size_t n = rows[b].n - rows[b].n_prompt;
        say_if_full(n, m->model->config.n_ctx, rows[b].tokens[rows[b].n - 1],
                    &settings);
        n_new += n;
        free(rows[b].tokens);
    }
    fprintf(stderr, "%zu tokens in a batch of %zu texts in %.2f s: %.1f tokens/s\n",
            n_new, n_rows, seconds, (double)n_new / seconds);
    free(rows);
}
