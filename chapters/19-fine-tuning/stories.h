/* Stories of a language as examples to be tuned on: each a row for itself. */
#ifndef CHAPTER_19_STORIES_H
#define CHAPTER_19_STORIES_H

#include <stdbool.h>
#include <stdint.h>

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"

/* Where in a story a token stands: the languages differ in their names alone. */
typedef enum { FIRST_NAME, OTHER_NAMES, NO_NAME, STORY_PARTS } StoryPart;

typedef struct {
    int *tokens;
    StoryPart *parts; /* of each token */
    size_t *starts;   /* [n + 1] of story i: its tokens, from a line feed to the next */
    size_t *prompts;  /* [n] of them, those up to the question mark */
    size_t n, longest; /* stories; tokens of the longest */
    double entropy;    /* the mean of -ln p over these very stories, in nats */
} Stories;

/* At least `bytes` of the built-in corpus, the same for the same seed; `sister`: with
 * the other names. */
Stories stories_create(const Tokenizer *tokenizer, uint64_t seed, size_t bytes,
                       bool sister);
void stories_free(Stories *s);

/* Both languages, as the models of this chapter meet them: text that they are tuned on,
 * and other text that no run reads, on which they are scored. */
enum { OLD, NEW, LANGUAGES };
typedef struct {
    Stories text[LANGUAGES], unseen[LANGUAGES];
} Languages;

Languages languages_create(const Tokenizer *tokenizer, uint64_t seed);
void languages_free(Languages *both);

/* Story i as a row of `length` inputs and targets; answers_only: with the targets that
 * answer_mask leaves. Returns how many count. */
size_t stories_row(const Stories *s, size_t i, bool answers_only, size_t length,
                   int *inputs, int *targets);

/* What a model makes of them. */
typedef struct {
    /* nats a story above the entropy: 0 for a model that knows the language */
    double above;
    double part[STORY_PARTS]; /* what each part costs, all of it, in nats a story */
    double right; /* share of answers of which every token is the likeliest */
} StoriesScore;

StoriesScore stories_score(const Stories *s, const Gpt2 *model, Tape *tape);

#endif
