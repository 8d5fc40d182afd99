/* Texts written by a model: printed token by token as they come, and timed. */
#ifndef CHAPTER_12_WRITING_H
#define CHAPTER_12_WRITING_H

#include "12-generation/generate.h"
#include "12-generation/prompt.h"
#include "12-generation/transcript.h"

/* The random numbers of text number i. */
Random writing_random(uint64_t seed, size_t i);

/* Goes on from the prompt n_texts times, one text after the other: the prompt and the
 * new text go to the transcript as they come. On stderr: where a text ended because the
 * model's context was full, and at the end how long tokens took. */
void write_texts(Transcript *transcript, LanguageModel lm, const Prompt *prompt,
                 const GenerateSettings *settings, size_t n_texts, uint64_t seed);

/* On stderr: why a text of n_new tokens ended before max_new_tokens, if the context was
 * full. */
void say_if_full(size_t n_new, size_t n_ctx, int last,
                 const GenerateSettings *settings);

#endif
