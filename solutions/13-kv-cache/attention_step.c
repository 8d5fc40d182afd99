/* Attention of one new token. Before you read on: make hint-13 EX=attention_step */
#include "13-kv-cache/attention_step.h"

#include "fmath.h"
#include "reduce.h"

/* One head: scores, softmax, weighted sum of the values. */
static void head_step(float *out, float *weights, const float *q, const float *keys, const float *values,
                      size_t head_dim, size_t length) {
    float scale = 1.0f / sqrtf((float)head_dim);
    for (size_t s = 0; s < length; s++) weights[s] = row_dot(q, keys + s * head_dim, head_dim) * scale;
    float max = row_max(weights, length);
    for (size_t s = 0; s < length; s++) weights[s] = exp_float(weights[s] - max);
    float sum = row_sum(weights, length);
    for (size_t i = 0; i < head_dim; i++) out[i] = 0;
    for (size_t s = 0; s < length; s++) {
        float weight = weights[s] / sum;
        for (size_t i = 0; i < head_dim; i++) out[i] += weight * values[s * head_dim + i];
    }
}

void attention_step(float *out, float *scratch, const float *q, const float *keys, const float *values,
                    size_t n_head, size_t head_dim, size_t capacity, size_t length) {
#pragma omp parallel for if (n_head * length * head_dim > 1 << 14)
    for (size_t h = 0; h < n_head; h++) {
        size_t start = h * capacity * head_dim;
        head_step(out + h * head_dim, scratch + h * capacity, q + h * head_dim, keys + start, values + start,
                  head_dim, length);
    }
}
