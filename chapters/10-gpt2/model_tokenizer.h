/* The tokenizer that belongs to a model. */
#ifndef CHAPTER_10_MODEL_TOKENIZER_H
#define CHAPTER_10_MODEL_TOKENIZER_H

#include "09-tokenizer/tokenizer.h"

/* The vocab.json and merges.txt in `vocabulary`, or where that is NULL, beside the
 * model, or tokenizer.json alone; what a GGUF file says, where one is named; a model of
 * 257 tokens without any reads bytes, any other gets NULL. A table with more rows than
 * tokens is padded: the ids behind the last token have no text. Ends the program when
 * it has fewer. */
Tokenizer *model_tokenizer(const char *vocabulary, const char *model_directory,
                           size_t n_vocab);

#endif
