/* Keeping keys and values. Before you read on: make hint-13 EX=kv_append */
#include "13-kv-cache/kv_append.h"

#include <string.h>

void kv_append(float *cache, const float *fresh, size_t n_new, size_t stride,
               size_t n_head, size_t head_dim, size_t capacity, size_t length) {
    for (size_t h = 0; h < n_head; h++) {
        for (size_t i = 0; i < n_new; i++) {
            //> keep
            float *to = cache + (h * capacity + length + i) * head_dim;
            memcpy(to, fresh + i * stride + h * head_dim, head_dim * sizeof *to);
            //< keep
        }
    }
}
