/* Token by token, feature by feature. */
#include "13-kv-cache/kv_append.h"

void kv_append(float *cache, const float *fresh, size_t n_new, size_t stride,
               size_t n_head, size_t head_dim, size_t capacity, size_t length) {
    for (size_t i = 0; i < n_new; i++, fresh += stride) {
        for (size_t c = 0; c < n_head * head_dim; c++) {
            size_t h = c / head_dim, token = length + i;
            cache[h * capacity * head_dim + token * head_dim + c % head_dim] = fresh[c];
        }
    }
}
