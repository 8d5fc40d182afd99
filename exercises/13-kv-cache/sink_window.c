/* Exercise 13/sink_window. The contract is in chapters/13-kv-cache/sink_window.h. */
#include "13-kv-cache/sink_window.h"

#include "13-kv-cache/attention_step.h"
#include "13-kv-cache/kv_append.h"
#include "base/error.h"

size_t sink_slot(size_t position, size_t n_sink, size_t window) {
    EXERCISE_TODO("13/sink_window");
}

size_t sink_held(size_t n_tokens, size_t n_sink, size_t window) {
    EXERCISE_TODO("13/sink_window");
}

void sink_step(float *out, float *scratch, float *keys, float *values, const float *qkv,
               size_t position, size_t n_head, size_t head_dim, size_t n_sink,
               size_t window) {
    EXERCISE_TODO("13/sink_window");
}
