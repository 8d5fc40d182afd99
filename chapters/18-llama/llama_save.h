/* Models of LLaMA's family as Hugging Face directories. */
#ifndef CHAPTER_18_LLAMA_SAVE_H
#define CHAPTER_18_LLAMA_SAVE_H

#include "09-tokenizer/tokenizer.h"
#include "10-gpt2/gpt2.h"

/* Adds config.json, model.safetensors and (not with NULL) tokenizer.json and
 * tokenizer_config.json to what the directory commits next, as LlamaForCausalLM reads
 * them, or Qwen2ForCausalLM where q, k and v alone have biases. Matrices of 16 bits go
 * as they are, those in ggml's blocks as floats: these directories have no such
 * numbers. Ends the program for a model that neither describes. */
void llama_save(const Gpt2 *model, const Tokenizer *tokenizer, Directory *directory);

#endif
