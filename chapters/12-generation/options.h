/* The options that say what is written and how: the same in the programs of chapters 12
 * and 13. */
#ifndef CHAPTER_12_OPTIONS_H
#define CHAPTER_12_OPTIONS_H

#include "12-generation/generate.h"
#include "12-generation/prompt.h"
#include "program/program.h"

typedef struct {
    const char *model, *prompt, *ids, *stop_token;
    size_t max_new_tokens, min_new_tokens, n_texts;
    SamplingSettings sampling;
    bool crop, print_ids, no_prepare, integer;
} WritingOptions;

WritingOptions writing_options(void);

/* The table that program.h wants, with the program's own options (ends with {0}) behind
 * these. There is one such table in a program. */
const Option *writing_option_table(WritingOptions *o, const Option *own);

/* The model of --model, or else one trained for a few seconds on the built-in
 * corpus. */
TextModel writing_model(const WritingOptions *o, uint64_t seed);

/* The prompt of --ids or --prompt, or else a line feed. */
Prompt writing_prompt(const WritingOptions *o, const TextModel *m);

/* With --integer, the model multiplies in whole numbers from now on where it can; a
 * line on standard error says if it nowhere can. */
void writing_integers(const WritingOptions *o, Gpt2 *model);

/* Ends the program when a value is out of range. Calls writing_integers. */
GenerateSettings writing_settings(const WritingOptions *o, const TextModel *m);

#endif
