/* Token by token, without a table of weights: what was summed is scaled down when a
 * larger score comes. */
#include "13-kv-cache/attention_step.h"

#include <math.h>

void attention_step(float *out, float *scratch, const float *q, const float *keys,
                    const float *values, size_t n_head, size_t head_dim,
                    size_t capacity, size_t length) {
    (void)scratch;
    for (size_t h = 0; h < n_head; h++, q += head_dim, out += head_dim) {
        double max = -INFINITY, sum = 0;
        for (size_t i = 0; i < head_dim; i++) out[i] = 0;
        for (size_t s = 0; s < length; s++) {
            size_t at = (h * capacity + s) * head_dim;
            double score = 0;
            for (size_t i = 0; i < head_dim; i++)
                score += (double)q[i] * (double)keys[at + i];
            score /= sqrt((double)head_dim);
            double larger = fmax(max, score), shrink = exp(max - larger),
                   weight = exp(score - larger);
            for (size_t i = 0; i < head_dim; i++)
                out[i] =
                    (float)((double)out[i] * shrink + weight * (double)values[at + i]);
            sum = sum * shrink + weight;
            max = larger;
        }
        for (size_t i = 0; i < head_dim; i++) out[i] = (float)((double)out[i] / sum);
    }
}
