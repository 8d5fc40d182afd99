/* Names of the parameters of LLaMA's family: here, in Hugging Face's directories and in
 * GGUF files. */
#ifndef CHAPTER_18_LLAMA_NAMES_H
#define CHAPTER_18_LLAMA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum { LLAMA_NAME = 80, LLAMA_MOST_PARTS = 3 };
typedef enum { NAMES_HUGGINGFACE, NAMES_GGUF } LlamaNames;

/* The tensors there of our parameter "h.3.attn.c_attn.weight": q, k and v apart, of all
 * others one. Returns how many. */
size_t llama_names(char names[LLAMA_MOST_PARTS][LLAMA_NAME], const char *ours,
                   LlamaNames format);

/* Is it the parameter that is q | k | v? */
bool llama_is_qkv(const char *ours);

#endif
