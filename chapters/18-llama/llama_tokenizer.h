/* The tokenizers of SmolLM2, Qwen and Llama 3: chapter 09's, with another cut into
 * words (llama_words.h), special tokens, and for Qwen a normal form (nfc.h). */
#ifndef CHAPTER_18_LLAMA_TOKENIZER_H
#define CHAPTER_18_LLAMA_TOKENIZER_H

#include "09-tokenizer/tokenizer.h"

/* The tokenizer that belongs to a model: of a directory tokenizer.json or, where that
 * is not there, GPT-2's vocab.json and merges.txt; of a GGUF file (gguf_is_file) what
 * is in it. NULL where there is none. The model has n_vocab rows, perhaps more than
 * there are tokens: tokenizer_n_vocab is n_vocab, and the ids behind the last token
 * have no text. Fewer rows than tokens end the program, as does every file that is none
 * of these shapes, with a line that says which part of it is not known here.
 *
 * tokenizer_encode with `special` gives the ids that Hugging Face's tokenizers gives
 * without add_special_tokens. With them, t->bos (if it is not -1) comes first. */
Tokenizer *llama_tokenizer_load(const char *path, size_t n_vocab);

/* The file tokenizer.json alone. */
Tokenizer *tokenizer_json_load(const char *path);

/* Adds tokenizer.json, which tokenizer_json_load and Hugging Face's tokenizers read,
 * and tokenizer_config.json, which tells transformers so, to what the directory commits
 * next. Into a GGUF file one goes by gguf_put_tokenizer (chapter 10). */
void tokenizer_json_save(const Tokenizer *t, Directory *directory);

#endif
