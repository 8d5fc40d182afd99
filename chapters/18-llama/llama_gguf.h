/* LLaMA's family in GGUF files, as llama.cpp reads and writes them: architectures
 * "llama" and "qwen2". */
#ifndef CHAPTER_18_LLAMA_GGUF_H
#define CHAPTER_18_LLAMA_GGUF_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"

/* Replaces the file: "qwen2" where q, k and v have biases, "llama" without any; of
 * "llama" the rows of q and k are permuted. Matrices go as they are stored, floats as
 * F32. Without a tokenizer llama.cpp refuses the file; this program does not. Ends the
 * program for a model that neither describes. */
void llama_gguf_save(const Gpt2 *model, const Tokenizer *tokenizer, const char *path);

#endif
