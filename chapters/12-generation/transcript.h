/* The text as it is written: each token is printed as soon as its characters are whole,
 * and the text is kept. */
#ifndef CHAPTER_12_TRANSCRIPT_H
#define CHAPTER_12_TRANSCRIPT_H

#include <stdbool.h>

#include "09-tokenizer/tokenizer.h"
#include "09-tokenizer/utf8.h"

typedef struct {
    const Tokenizer *tokenizer; /* NULL: tokens have no text */
    bool print_ids;             /* print ids, not text; always so without a tokenizer */
    char *text; /* [bytes] all texts so far, each with a line feed at its end */
    size_t bytes;
    Utf8Stream stream; /* of the text that is being written */
    bool begun;        /* it has a token already */
} Transcript;

Transcript transcript_create(const Tokenizer *tokenizer, bool print_ids);
void transcript_free(Transcript *t);

/* The next token of the text; then the text's end, a line feed. */
void transcript_token(Transcript *t, int token);
void transcript_end(Transcript *t);

#endif
