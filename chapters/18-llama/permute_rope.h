/* Exercise 18/permute_rope: from Hugging Face's order of q's and k's rows to that of
 * GGUF files of LLaMA, and back. */
#ifndef CHAPTER_18_PERMUTE_ROPE_H
#define CHAPTER_18_PERMUTE_ROPE_H

#include <stddef.h>

//> permute_rope
/* A matrix [n_head * head_dim, n_in] as nn.Linear has it: a row is the weights of one
 * output, row_bytes bytes of any storage type. Hugging Face rotates rows i and i +
 * head_dim / 2 of a head as a pair, GGUF's "llama" rows 2 i and 2 i + 1. So GGUF's row
 * 2 i is Hugging Face's row i, and its row 2 i + 1 that row's partner, in each head
 * separately. Nothing else moves. n_head is the number of heads of this matrix: for k
 * pass n_kv_head; head_dim is even. out and rows do not overlap. */
void rope_to_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                  size_t row_bytes);

/* The way back. */
void rope_from_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                    size_t row_bytes);
//< permute_rope

#endif
