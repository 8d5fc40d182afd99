/* In loops, with sums in double. */
#include "13-kv-cache/attention_step.h"

#include <math.h>

void attention_step(float *out, float *scratch, const float *q, const float *keys,
                    const float *values, size_t n_head, size_t head_dim,
                    size_t capacity, size_t length) {
    for (size_t h = 0; h < n_head; h++) {
        const float *k = keys + h * capacity * head_dim,
                    *v = values + h * capacity * head_dim;
        double max = -INFINITY, sum = 0;
        for (size_t s = 0; s < length; s++) {
            double score = 0;
            for (size_t i = 0; i < head_dim; i++)
                score += (double)q[h * head_dim + i] * (double)k[s * head_dim + i];
            scratch[s] = (float)(score / sqrt((double)head_dim));
            max = fmax(max, (double)scratch[s]);
        }
        for (size_t s = 0; s < length; s++) sum += exp((double)scratch[s] - max);
        for (size_t i = 0; i < head_dim; i++) {
            double mean = 0;
            for (size_t s = 0; s < length; s++)
                mean +=
                    exp((double)scratch[s] - max) / sum * (double)v[s * head_dim + i];
            out[h * head_dim + i] = (float)mean;
        }
    }
}
