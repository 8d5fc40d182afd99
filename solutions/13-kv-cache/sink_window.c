/* A window with attention sinks. Before you read on: make hint-13 EX=sink_window */
#include "13-kv-cache/sink_window.h"

#include "13-kv-cache/attention_step.h"
#include "13-kv-cache/kv_append.h"

size_t sink_slot(size_t position, size_t n_sink, size_t window) {
    return position < n_sink ? position : n_sink + (position - n_sink) % window;
}

size_t sink_held(size_t n_tokens, size_t n_sink, size_t window) {
    size_t slots = n_sink + window;
    return n_tokens < slots ? n_tokens : slots;
}

void sink_step(float *out, float *scratch, float *keys, float *values, const float *qkv,
               size_t position, size_t n_head, size_t head_dim, size_t n_sink,
               size_t window) {
    size_t dim = n_head * head_dim, slots = n_sink + window;
    size_t slot = sink_slot(position, n_sink, window);
    kv_append(keys, qkv + dim, 1, dim, n_head, head_dim, slots, slot);
    kv_append(values, qkv + 2 * dim, 1, dim, n_head, head_dim, slots, slot);
    size_t held = sink_held(position + 1, n_sink, window);
    attention_step(out, scratch, qkv, keys, values, n_head, head_dim, slots, held);
}
