/* Exercise 13/sink_window: a cache of fixed size that keeps the first tokens and the
 * last ones (Xiao et al. 2023, "attention sinks"). */
#ifndef CHAPTER_13_SINK_WINDOW_H
#define CHAPTER_13_SINK_WINDOW_H

#include <stddef.h>

/* The slot, of n_sink + window, that the token at `position` is kept in. The first
 * n_sink tokens keep slots 0 .. n_sink - 1 for good. The others fill the slots behind
 * them from the left; when all are taken, each new one takes the place of the oldest
 * that is no sink. window >= 1. */
//> signatures
size_t sink_slot(size_t position, size_t n_sink, size_t window);
//< signatures

/* How many slots hold a token when n_tokens have come: slots 0 up to that. */
//> signatures
size_t sink_held(size_t n_tokens, size_t n_sink, size_t window);
//< signatures

/* One new token, at `position`: its key and value go to its slot of keys and values
 * [n_head, n_sink + window, head_dim], then its query looks at all tokens held, its own
 * among them. qkv is q | k | v, each n_head * head_dim floats with the heads side by
 * side; out [n_head * head_dim], scratch [n_head, n_sink + window]. kv_append stores,
 * attention_step looks: the order of the slots does not matter to it. */
//> signatures
void sink_step(float *out, float *scratch, float *keys, float *values, const float *qkv,
               size_t position, size_t n_head, size_t head_dim, size_t n_sink,
               size_t window);
//< signatures

#endif
