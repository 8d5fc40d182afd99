/* A prompt: the tokens that a text goes on from. */
#ifndef CHAPTER_12_PROMPT_H
#define CHAPTER_12_PROMPT_H

#include "12-generation/text_model.h"

typedef struct {
    int *tokens; /* [n] */
    size_t n;    /* at least 1 */
} Prompt;

/* Of a text; an empty one is <|endoftext|>. With `special` each special token that it
 * spells is read as that token, otherwise as letters, with a word on stderr. Ends the
 * program without a tokenizer. */
Prompt prompt_of_bytes(const TextModel *m, const char *text, size_t bytes,
                       bool special);

/* Of a text as it stands on the command line, where "-" reads standard input. */
Prompt prompt_of_text(const TextModel *m, const char *text, bool special);

/* Of token ids, by blanks or commas, without the padding of `mask` (ids_unpadded). Ends
 * the program when one is out of range. */
Prompt prompt_of_ids(const TextModel *m, const char *ids, const char *mask);

void prompt_free(Prompt *p);

#endif
