/* The options that say what is written and how: those of the programs of this chapter
 * and of all later ones. */
#ifndef CHAPTER_12_OPTIONS_H
#define CHAPTER_12_OPTIONS_H

#include "10-gpt2/reading.h"
#include "12-generation/generate.h"
#include "12-generation/prompt.h"
#include "program/program.h"

typedef struct {
    const char *prompt, *stop_token;
    size_t max_new_tokens, min_new_tokens, n_texts;
    SamplingSettings sampling;
    bool special, crop, print_ids, no_prepare;
    bool needs_text; /* the model is of no use without a tokenizer */

    /* In the place of --prompt, --ids and --stop-token, where a later chapter has made
     * them (18: of a chat). */
    Prompt made;
    int made_stop;
} Writing;

/* As the command line says. */
extern Writing writing;

/* With --ids, of chapter 10. */
extern const Option writing_options[];

/* Is there a --prompt, --ids or one that was made? */
bool is_prompted(void);

/* The model that the options name and its tokenizer, or else one trained for a few
 * seconds on the built-in corpus. From ids to ids no tokenizer is needed, and none is
 * read. */
TextModel writing_model(uint64_t seed);
void writing_model_free(TextModel *m);

/* The prompt that was asked for, or else a line feed. */
Prompt writing_prompt(const TextModel *m);

/* Ends the program when a value is out of range. */
GenerateSettings writing_settings(const TextModel *m);

#endif
