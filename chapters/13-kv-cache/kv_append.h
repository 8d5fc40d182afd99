/* Exercise 13/kv_append: keeping the keys (or values) of new tokens. */
#ifndef CHAPTER_13_KV_APPEND_H
#define CHAPTER_13_KV_APPEND_H

#include <stddef.h>

/* Stores n_new tokens behind the `length` that cache [n_head, capacity, head_dim]
 * already holds. fresh holds one row a token, `stride` floats apart, of n_head *
 * head_dim floats: the heads side by side, as the projection gives them. Each head's
 * tokens are contiguous in the cache, because that is how attention_step reads them.
 * length + n_new <= capacity. */
//> signature
void kv_append(float *cache, const float *fresh, size_t n_new, size_t stride,
               size_t n_head, size_t head_dim, size_t capacity, size_t length);
//< signature

#endif
