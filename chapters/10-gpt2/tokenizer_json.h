/* Hugging Face's tokenizer.json, read. */
#ifndef CHAPTER_10_TOKENIZER_JSON_H
#define CHAPTER_10_TOKENIZER_JSON_H

#include "09-tokenizer/tokenizer.h"

/* The tokenizer in the file, with one of the n rules, of which GPT-2's is the first.
 * nfc is the normal form that the file may ask for; NULL: none is known. Everything
 * else ends the program with a line that says which part is not known here. */
Tokenizer *tokenizer_json_read(const char *path, const WordRule *const *rules, size_t n,
                               char *(*nfc)(const char *, size_t, size_t *));

#endif
