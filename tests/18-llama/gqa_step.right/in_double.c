/* In loops, with sums in double. */
#include "18-llama/gqa_step.h"

#include <math.h>

void gqa_step(float *out, float *scratch, const float *q, const float *keys,
              const float *values, const GroupShape *s) {
    for (size_t h = 0; h < s->n_head; h++) {
        size_t dim = s->head_dim,
               start = h * s->n_kv_head / s->n_head * s->capacity * dim;
        const float *k = keys + start, *v = values + start;
        double max = -INFINITY, sum = 0;
        for (size_t t = 0; t < s->length; t++) {
            double score = 0;
            for (size_t i = 0; i < dim; i++)
                score += (double)q[h * dim + i] * (double)k[t * dim + i];
            scratch[h * s->capacity + t] = (float)(score / sqrt((double)dim));
            max = fmax(max, (double)scratch[h * s->capacity + t]);
        }
        for (size_t t = 0; t < s->length; t++)
            sum += exp((double)scratch[h * s->capacity + t] - max);
        for (size_t i = 0; i < dim; i++) {
            double mean = 0;
            for (size_t t = 0; t < s->length; t++)
                mean += exp((double)scratch[h * s->capacity + t] - max) / sum *
                        (double)v[t * dim + i];
            out[h * dim + i] = (float)mean;
        }
    }
}
