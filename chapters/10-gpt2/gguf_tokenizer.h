/* Tokenizers in GGUF files: tokenizer.ggml.model "gpt2", which is byte-level BPE, and
 * how it cuts a text into words in tokenizer.ggml.pre. */
#ifndef CHAPTER_10_GGUF_TOKENIZER_H
#define CHAPTER_10_GGUF_TOKENIZER_H

#include "09-tokenizer/tokenizer.h"
#include "checkpoints/gguf.h"

/* The tokenizer in the file, or NULL where there is none. It must cut by one of the
 * n_rules rules; a file that does not say how it cuts does it as GPT-2. */
Tokenizer *gguf_tokenizer(const Gguf *file, const WordRule *const *rules,
                          size_t n_rules);

/* Puts it into a file. Ids without a token become unused ones, since llama.cpp counts a
 * model's rows by its tokens. */
void gguf_put_tokenizer(GgufWriter *w, const Tokenizer *t);

#endif
