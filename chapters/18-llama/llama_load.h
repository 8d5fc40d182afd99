/* Models of LLaMA's family from the disk. */
#ifndef CHAPTER_18_LLAMA_LOAD_H
#define CHAPTER_18_LLAMA_LOAD_H

#include "18-llama/llama.h"
#include "checkpoints/gguf.h"

/* Any model that the course reads: a Hugging Face directory (GPT2LMHeadModel,
 * LlamaForCausalLM, Qwen2ForCausalLM; one file or shards) or a GGUF file (architectures
 * gpt2, llama and qwen2). See gpt2_load_file (chapter 10). q, k and v, which are one
 * matrix here, are copied as they are stored, or as floats where the three are of
 * different types. */
Gpt2 *llama_load(const char *path, ParamsMode mode);

/* The configuration alone: config.json of a directory, the keys of a GGUF file. */
Gpt2Config llama_read_config(const char *directory);
Gpt2Config llama_gguf_config(const Gguf *file);

/* Is it a directory or a GGUF file of this family, and not GPT-2's? */
bool llama_is(const char *path);

#endif
