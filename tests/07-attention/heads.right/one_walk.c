/* Both ways are one walk over all heads' elements. */
#include "07-attention/heads.h"

static void walk(float *split, float *merged, const float *x, size_t batch,
                 size_t length, size_t n_head, size_t head_dim, size_t stride) {
    size_t i = 0;
    for (size_t b = 0; b < batch; b++)
        for (size_t h = 0; h < n_head; h++)
            for (size_t t = 0; t < length; t++)
                for (size_t c = h * head_dim; c < (h + 1) * head_dim; c++, i++) {
                    size_t at = (b * length + t) * stride + c;
                    if (split) split[i] = x[at];
                    if (merged) merged[at] += x[i];
                }
}

void split_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
    walk(out, NULL, x, batch, length, n_head, head_dim, stride);
}

void merge_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
    walk(NULL, out, x, batch, length, n_head, head_dim, stride);
}
