/* As numpy has it: reshape(n_head, 2, head_dim / 2), axes 1 and 2 exchanged. */
#include "18-llama/permute_rope.h"

#include <string.h>

static void exchange(char *out, const char *in, size_t n_head, size_t first,
                     size_t second, size_t bytes) {
    for (size_t h = 0; h < n_head; h++) {
        for (size_t a = 0; a < first; a++) {
            for (size_t b = 0; b < second; b++)
                memcpy(out + ((h * second + b) * first + a) * bytes,
                       in + ((h * first + a) * second + b) * bytes, bytes);
        }
    }
}

void rope_to_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                  size_t row_bytes) {
    exchange(out, rows, n_head, 2, head_dim / 2, row_bytes);
}

void rope_from_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                    size_t row_bytes) {
    exchange(out, rows, n_head, head_dim / 2, 2, row_bytes);
}
