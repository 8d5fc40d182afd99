/* Models of LLaMA's family from the disk. */
#ifndef CHAPTER_18_LLAMA_LOAD_H
#define CHAPTER_18_LLAMA_LOAD_H

#include "18-llama/llama.h"
#include "18-llama/llama_file.h"

/* The model in a Hugging Face directory (LlamaForCausalLM, Qwen2ForCausalLM; one file
 * or shards), or in a GGUF file (architectures llama and qwen2); where `path` is a
 * GPT-2, chapter 10's. PARAMS_MAPPED reads matrices from where they are in the file; q,
 * k and v, which are one matrix here, and rows that have to be permuted, are copied as
 * they are stored, or as floats where the three are of different types. Names, shapes
 * and types are checked; an error names file and tensor. PARAMS_TRAIN also asks that
 * all numbers are finite. */
Gpt2 *llama_load(const char *path, ParamsMode mode);

/* The configuration alone: config.json of a directory, the keys of a GGUF file. */
Gpt2Config llama_read_config(const char *directory);
Gpt2Config llama_gguf_config(const Gguf *file);

/* Is it a directory or a GGUF file of this family, and not GPT-2's? */
bool llama_is(const char *path);

#endif
