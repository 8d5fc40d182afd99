/* One loop over the elements that are written, whose places are taken apart by
 * division. */
#include "07-attention/heads.h"

void split_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
    for (size_t i = 0; i < batch * n_head * length * head_dim; i++) {
        size_t feature = i % head_dim, t = i / head_dim % length;
        size_t h = i / (head_dim * length) % n_head,
               b = i / (head_dim * length * n_head);
        out[i] = x[b * length * stride + t * stride + h * head_dim + feature];
    }
}

void merge_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
    for (size_t row = 0; row < batch * length; row++) {
        for (size_t c = 0; c < n_head * head_dim; c++) {
            size_t head = row / length * n_head + c / head_dim;
            out[row * stride + c] +=
                x[(head * length + row % length) * head_dim + c % head_dim];
        }
    }
}
