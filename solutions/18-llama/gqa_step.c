/* One token over shared keys. Before you read on: make hint-18 EX=gqa_step */
#include "18-llama/gqa_step.h"

#include <math.h>

#include "kernels/matmul.h"
#include "kernels/softmax.h"

/* Each sum is in the order of chapter 07, so that the result is, bit for bit, the row
 * that attention over the whole text would give. */
void gqa_step(float *out, float *scratch, const float *q, const float *keys,
              const float *values, const GroupShape *s) {
    size_t dim = s->head_dim, group = s->n_head / s->n_kv_head;
    float scale = 1.0f / sqrtf((float)dim);
#pragma omp parallel for if (s->n_head * s->length * dim > 1 << 14)
    for (size_t h = 0; h < s->n_head; h++) {
        size_t start = h / group * s->capacity * dim;
        float *weights = scratch + h * s->capacity;
        const float *query = q + h * dim;
        matmul_a_bt(weights, query, keys + start, 1, s->length, dim, false);
        row_softmax(weights, weights, s->length, scale);
        matmul(out + h * dim, weights, values + start, 1, dim, s->length, false);
    }
}
