/* The options that say what is written and how: the same in the programs of chapters 12 and 13. */
#ifndef CHAPTER_12_OPTIONS_H
#define CHAPTER_12_OPTIONS_H

#include "12-generation/writer.h"
#include "program.h"

typedef struct {
    const char *model, *prompt, *ids, *stop_token;
    size_t max_new_tokens, min_new_tokens, top_k, n_texts;
    double temperature, top_p, repetition_penalty;
    bool greedy, crop, print_ids;
} WriterOptions;

WriterOptions writer_options(void);

/* The table that program.h wants, with the program's own options (ends with {0}) behind these. There is one
 * such table in a program. */
const Option *writer_option_table(WriterOptions *o, const Option *own);

/* The model of --model, or else one trained for a few seconds on the built-in corpus. */
Writer writer_open(const WriterOptions *o, uint64_t seed);

/* The prompt of --ids or --prompt becomes the writer's. */
void writer_take_prompt(Writer *w, const WriterOptions *o);

/* Ends the program when a value is out of range. */
GenerateSettings writer_settings(const Writer *w, const WriterOptions *o);

/* The random numbers of text number i. */
Random writer_random(uint64_t seed, size_t i);

/* Writes the texts, one after the other, then the statistics (to stderr). */
void writer_write_texts(Writer *w, LanguageModel lm, const WriterOptions *o, uint64_t seed);

#endif
