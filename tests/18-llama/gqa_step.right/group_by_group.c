/* A key head at a time: chapter 13's step for each query that shares it. */
#include "18-llama/gqa_step.h"

#include "13-kv-cache/attention_step.h"

void gqa_step(float *out, float *scratch, const float *q, const float *keys,
              const float *values, const GroupShape *s) {
    size_t group = s->n_head / s->n_kv_head, size = s->capacity * s->head_dim;
    for (size_t g = 0; g < s->n_kv_head; g++) {
        for (size_t j = 0; j < group; j++) {
            size_t h = g * group + j, at = h * s->head_dim;
            attention_step(out + at, scratch + h * s->capacity, q + at, keys + g * size,
                           values + g * size, 1, s->head_dim, s->capacity, s->length);
        }
    }
}
