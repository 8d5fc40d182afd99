/* Writing text: one token after the other, each drawn from what the model expects
 * next. */
#ifndef CHAPTER_12_GENERATE_H
#define CHAPTER_12_GENERATE_H

#include <stdbool.h>
#include <stddef.h>

#include "10-gpt2/gpt2.h"
#include "12-generation/sampling.h"
#include "math/random.h"

/* A source of logits for the next token. `next_logits` gives [n_vocab] logits after the
 * `n` tokens; they stay valid until the next call. Chapter 13 has one with a cache. */
typedef struct {
    const float *(*next_logits)(void *self, const int *tokens, size_t n);
    void *self;
    size_t n_vocab, n_ctx; /* n_ctx: the longest sequence it can read */
} LanguageModel;

/* A GPT-2 that reads the whole sequence again for every token. */
typedef struct {
    const Gpt2 *model;
    Tape tape;
} PlainModel;

PlainModel plain_model_create(const Gpt2 *model);
LanguageModel plain_model(PlainModel *self);
void plain_model_free(PlainModel *self);

typedef struct {
    SamplingSettings sampling;
    size_t max_new_tokens;
    /* before so many new tokens no stop token can be chosen */
    size_t min_new_tokens;
    int stop_token;  /* ends the text, and is part of it; NO_STOP_TOKEN: none */
    const int *ends; /* n_ends others that do the same */
    size_t n_ends;
    bool crop; /* when the context is full, go on from the last n_ctx tokens */
    /* a model to pack part by part, one after each token (gpt2_repack_next), so that
     * the first token comes at once; NULL: none */
    Gpt2 *repack;
} GenerateSettings;

enum { NO_STOP_TOKEN = -1 };

bool generate_is_stop(const GenerateSettings *settings, int token);

/* The token behind tokens [n], of which the last n_new were written by us, from the
 * model's logits. random is not used when greedy. */
int generate_next(SamplingMemory *memory, const float *logits, const int *tokens,
                  size_t n, size_t n_new, const GenerateSettings *settings,
                  Random *random);

/* Ends the program when a prompt of n tokens is empty, or too long for the context and
 * not to be cropped. */
void generate_check_prompt(size_t n, LanguageModel lm,
                           const GenerateSettings *settings);

/* Goes on from tokens [n], n >= 1, in a buffer with room for n + max_new_tokens, and
 * returns the new length. Stops at the stop token, and when the model's context is full
 * unless settings->crop. Checks the prompt as above. `emit` (may be NULL) is told each
 * new token at once. */
size_t generate(int *tokens, size_t n, LanguageModel lm,
                const GenerateSettings *settings, Random *random,
                void (*emit)(void *context, int token), void *context);

#endif
