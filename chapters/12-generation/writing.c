/* Texts written by a model: see writing.h. */
#include "12-generation/writing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/train.h"
#include "12-generation/latency.h"
#include "files/file.h"
#include "base/memory.h"

Random writing_random(uint64_t seed, size_t i) {
    return random_stream(seed, STREAM_SAMPLING + i);
}

void say_if_full(size_t n_new, size_t n_ctx, int last,
                 const GenerateSettings *settings) {
    if (n_new == settings->max_new_tokens || generate_is_stop(settings, last)) return;
    fprintf(stderr,
            "stopped after %zu new tokens: the model's context of %zu is full (--crop "
            "goes on)\n",
            n_new, n_ctx);
}

/* The state of watch_token, which gets each new token. */
typedef struct {
    Transcript *transcript;
    Latency latency;
    Gpt2 *repack; /* as GenerateSettings has it */
} Watch;

static void watch_token(void *watch, int token) {
    Watch *w = watch;
    latency_token(&w->latency);
    transcript_token(w->transcript, token);
    output_flush();
    if (w->repack && !gpt2_repack_next(w->repack)) w->repack = NULL;
}

static void write_text(Watch *w, LanguageModel lm, const Prompt *prompt,
                       const GenerateSettings *settings, Random *random) {
    generate_check_prompt(prompt->n, lm, settings); /* before the prompt is printed */
    int *tokens = checked_alloc(prompt->n + settings->max_new_tokens, sizeof *tokens);
    memcpy(tokens, prompt->tokens, prompt->n * sizeof *tokens);
    for (size_t i = 0; i < prompt->n; i++) transcript_token(w->transcript, tokens[i]);
    output_flush();
    latency_begin_text(&w->latency);
    size_t n = generate(tokens, prompt->n, lm, settings, random, watch_token, w);
    transcript_end(w->transcript);
    say_if_full(n - prompt->n, lm.n_ctx, tokens[n - 1], settings);
    free(tokens);
}

void write_texts(Transcript *transcript, LanguageModel lm, const Prompt *prompt,
                 const GenerateSettings *settings, size_t n_texts, uint64_t seed) {
    Watch watch = {.transcript = transcript, .repack = settings->repack};
    for (size_t i = 0; i < n_texts; i++) {
        if (n_texts > 1) printf("--- %zu\n", i + 1);
        Random random = writing_random(seed, i);
        write_text(&watch, lm, prompt, settings, &random);
    }
    latency_print(&watch.latency);
    latency_free(&watch.latency);
}
