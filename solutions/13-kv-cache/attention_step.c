/* Attention of one new token. Before you read on: make hint-13 EX=attention_step */
#include "13-kv-cache/attention_step.h"

#include "fmath.h"
#include "matmul.h"
#include "reduce.h"

/* One head: scores, softmax, weighted sum of the values. Each sum is in the order of chapter 07, so that the
 * result is, bit for bit, the row that attention over the whole text would give. */
static void head_step(float *out, float *weights, const float *q, const float *keys, const float *values,
                      size_t head_dim, size_t length) {
    float scale = 1.0f / sqrtf((float)head_dim);
    matmul_a_bt(weights, q, keys, 1, length, head_dim, false);
    float max = row_max(weights, length);
    for (size_t s = 0; s < length; s++) weights[s] = exp_float(scale * (weights[s] - max));
    float factor = 1.0f / row_sum(weights, length);
    for (size_t s = 0; s < length; s++) weights[s] *= factor;
    matmul(out, weights, values, 1, head_dim, length, false);
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
