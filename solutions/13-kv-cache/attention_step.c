/* Attention of one new token. Before you read on: make hint-13 EX=attention_step */
#include "13-kv-cache/attention_step.h"

#include <math.h>

#include "kernels/matmul.h"
#include "kernels/softmax.h"

/* Each sum is in the order of chapter 07, so that the result is, bit for bit, the row
 * that attention over the whole text would give. */
void attention_step(float *out, float *scratch, const float *q, const float *keys,
                    const float *values, size_t n_head, size_t head_dim,
                    size_t capacity, size_t length) {
    float scale = 1.0f / sqrtf((float)head_dim);
#pragma omp parallel for if (n_head * length * head_dim > 1 << 14)
    for (size_t h = 0; h < n_head; h++) {
        size_t start = h * capacity * head_dim;
        float *weights = scratch + h * capacity;
        /* scores = q k^T */
        const float *query = q + h * head_dim;
        matmul_a_bt(weights, query, keys + start, 1, length, head_dim, false);
        /* weights = softmax(scores / sqrt(head_dim)) */
        row_softmax(weights, weights, length, scale);
        /* out = weights v */
        matmul(out + h * head_dim, weights, values + start, 1, head_dim, length, false);
    }
}
