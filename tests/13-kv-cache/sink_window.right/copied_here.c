/* Keys and values are copied here, without kv_append. */
#include "13-kv-cache/sink_window.h"

#include <string.h>

#include "13-kv-cache/attention_step.h"

size_t sink_slot(size_t position, size_t n_sink, size_t window) {
    if (position < n_sink + window) return position;
    size_t rounds = (position - n_sink) / window;
    return position - rounds * window;
}

size_t sink_held(size_t n_tokens, size_t n_sink, size_t window) {
    size_t others = n_tokens > n_sink ? n_tokens - n_sink : 0;
    return (n_tokens - others) + (others < window ? others : window);
}

void sink_step(float *out, float *scratch, float *keys, float *values, const float *qkv,
               size_t position, size_t n_head, size_t head_dim, size_t n_sink,
               size_t window) {
    size_t slots = n_sink + window, slot = sink_slot(position, n_sink, window);
    for (size_t h = 0; h < n_head; h++) {
        size_t to = (h * slots + slot) * head_dim;
        memcpy(keys + to, qkv + (n_head + h) * head_dim, head_dim * sizeof *keys);
        memcpy(values + to, qkv + (2 * n_head + h) * head_dim,
               head_dim * sizeof *values);
    }
    size_t held = sink_held(position + 1, n_sink, window);
    attention_step(out, scratch, qkv, keys, values, n_head, head_dim, slots, held);
}
