/* Exercise 07/heads. The contract is in chapters/07-attention/heads.h. */
#include "07-attention/heads.h"

#include <string.h>

#include "base/error.h"

void split_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
    EXERCISE_TODO("07/heads");
}

void merge_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
    EXERCISE_TODO("07/heads");
}
