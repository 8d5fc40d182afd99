/* A position that is no sink goes back by a window's length until it is a slot. */
#include "13-kv-cache/sink_window.h"

#include "13-kv-cache/attention_step.h"
#include "13-kv-cache/kv_append.h"

size_t sink_slot(size_t position, size_t n_sink, size_t window) {
    while (position >= n_sink + window) position -= window;
    return position;
}

size_t sink_held(size_t n_tokens, size_t n_sink, size_t window) {
    if (n_tokens > n_sink + window) return n_sink + window;
    return n_tokens;
}

void sink_step(float *out, float *scratch, float *keys, float *values, const float *qkv,
               size_t position, size_t n_head, size_t head_dim, size_t n_sink,
               size_t window) {
    const float *q = qkv, *k = q + n_head * head_dim, *v = k + n_head * head_dim;
    size_t capacity = n_sink + window, at = sink_slot(position, n_sink, window);
    kv_append(values, v, 1, 0, n_head, head_dim, capacity, at);
    kv_append(keys, k, 1, 0, n_head, head_dim, capacity, at);
    attention_step(out, scratch, q, keys, values, n_head, head_dim, capacity,
                   sink_held(position + 1, n_sink, window));
}
