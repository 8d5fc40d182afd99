/* Exercise 18/permute_rope. The contract is in chapters/18-llama/permute_rope.h. */
#include "18-llama/permute_rope.h"

#include <string.h>

#include "base/error.h"

void rope_to_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                  size_t row_bytes) {
    EXERCISE_TODO("18/permute_rope");
}

void rope_from_gguf(void *out, const void *rows, size_t n_head, size_t head_dim,
                    size_t row_bytes) {
    EXERCISE_TODO("18/permute_rope");
}
