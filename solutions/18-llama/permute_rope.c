/* The order of rotated rows. Before you read on: make hint-18 EX=permute_rope */
#include "18-llama/permute_rope.h"

#include <string.h>

/* Row n of GGUF's order is this one of Hugging Face's. */
static size_t huggingface_row(size_t n, size_t head_dim) {
    size_t head = n / head_dim, pair = n % head_dim / 2, second = n % 2;
    return head * head_dim + pair + second * (head_dim / 2);
}

void rope_to_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                  size_t row_bytes) {
    char *to = out;
    const char *from = rows;
    for (size_t n = 0; n < n_head * head_dim; n++)
        memcpy(to + n * row_bytes, from + huggingface_row(n, head_dim) * row_bytes,
               row_bytes);
}

void rope_from_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                    size_t row_bytes) {
    char *to = out;
    const char *from = rows;
    for (size_t n = 0; n < n_head * head_dim; n++)
        memcpy(to + huggingface_row(n, head_dim) * row_bytes, from + n * row_bytes,
               row_bytes);
}
