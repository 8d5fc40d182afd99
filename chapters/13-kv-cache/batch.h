/* Several texts at a time: the weights are read once for all of them. */
#ifndef CHAPTER_13_BATCH_H
#define CHAPTER_13_BATCH_H

#include "12-generation/text_model.h"
#include "12-generation/transcript.h"
#include "13-kv-cache/kv_cache.h"

typedef struct {
    int *tokens; /* room for n + max_new_tokens */
    size_t n, n_prompt;
    Random random;
} BatchRow;

/* Goes on from each row's prompt until its stop token, its number of tokens or the end
 * of the context; each row becomes what it would become alone. The prompts go through
 * the model in one pass, aligned at the left, and then one token of each row that still
 * goes on. */
void generate_batch(BatchRow *rows, size_t n_rows, const Gpt2 *model,
                    const GenerateSettings *settings);

/* The prompts of --prompt, one a line, or of --ids, between semicolons, all written at
 * a time and printed in their order; --num-return-sequences texts for each. */
void write_batch(Transcript *transcript, const TextModel *m, uint64_t seed);

#endif
