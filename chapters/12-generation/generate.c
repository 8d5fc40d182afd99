/* Writing text: see generate.h. */
#include "12-generation/generate.h"

#include <stdlib.h>
#include <string.h>

#include "09-tokenizer/tokenizer.h"
#include "base/error.h"
#include "base/memory.h"

static const float *next_logits(void *self, const int *tokens, size_t n) {
    PlainModel *m = self;
    tape_reset(&m->tape);
    Gpt2Input input = {.tokens = tokens, .batch = 1, .length = n};
    return gpt2_logits_at(&m->tape, m->model, gpt2_hidden(&m->tape, m->model, &input),
                          (size_t[]){n - 1});
}

PlainModel plain_model_create(const Gpt2 *model) {
    return (PlainModel){.model = model, .tape = tape_for_inference()};
}

LanguageModel plain_model(PlainModel *self) {
    return (LanguageModel){.next_logits = next_logits,
                           .self = self,
                           .n_vocab = self->model->config.n_vocab,
                           .n_ctx = self->model->config.n_ctx};
}

void plain_model_free(PlainModel *self) {
    tape_free(&self->tape);
}

bool generate_is_stop(const GenerateSettings *settings, int token) {
    for (size_t i = 0; i < settings->n_ends; i++)
        if (token == settings->ends[i]) return true;
    return token == settings->stop_token;
}

/* Neither the stop token nor the other ends. */
static void exclude_stops(SamplingSettings *sampling, int *room,
                          const GenerateSettings *settings) {
    size_t n = settings->n_ends;
    if (n) memcpy(room, settings->ends, n * sizeof *room);
    if (settings->stop_token != NO_STOP_TOKEN) room[n++] = settings->stop_token;
    sampling->excluded = room;
    sampling->n_excluded = n;
}

int generate_next(SamplingMemory *memory, const float *logits, const int *tokens,
                  size_t n, size_t n_new, const GenerateSettings *settings,
                  Random *random) {
    SamplingSettings sampling = settings->sampling;
    int stops[TOKENIZER_MOST_ENDS + 1];
    if (n_new < settings->min_new_tokens) exclude_stops(&sampling, stops, settings);
    double u = sampling.greedy ? 0 : random_double(random);
    return sampling_next(memory, logits, tokens, n, &sampling, u);
}

void generate_check_prompt(size_t n, LanguageModel lm,
                           const GenerateSettings *settings) {
    if (n == 0) die("generate: the prompt is empty");
    if (n > lm.n_ctx && !settings->crop) {
        die("the prompt has %zu tokens: the model's context is %zu (to go on from the "
            "last %zu: --crop)",
            n, lm.n_ctx, lm.n_ctx);
    }
}

//> generate
size_t generate(int *tokens, size_t n, LanguageModel lm,
                const GenerateSettings *settings, Random *random,
                void (*emit)(void *context, int token), void *context) {
    generate_check_prompt(n, lm, settings);
    SamplingMemory memory = sampling_memory(lm.n_vocab);
    size_t n_prompt = n, end = n + settings->max_new_tokens;
    while (n < end && (n <= lm.n_ctx || settings->crop)) {
        size_t cropped = n > lm.n_ctx ? n - lm.n_ctx : 0;
        const float *logits = lm.next_logits(lm.self, tokens + cropped, n - cropped);
        tokens[n] =
            generate_next(&memory, logits, tokens, n, n - n_prompt, settings, random);
        if (emit) emit(context, tokens[n]);
        if (generate_is_stop(settings, tokens[n++])) break;
    }
    sampling_memory_free(&memory);
    return n;
}
//< generate
