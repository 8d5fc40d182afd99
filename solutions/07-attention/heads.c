/* Splitting and merging heads. Before you read on: make hint-07 EX=heads */
#include "07-attention/heads.h"

void split_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
#pragma omp parallel for collapse(2) if (batch * length * n_head * head_dim > 1 << 14)
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_head; h++) {
            for (size_t t = 0; t < length; t++) {
                const float *from = x + (b * length + t) * stride + h * head_dim;
                float *to = out + ((b * n_head + h) * length + t) * head_dim;
                for (size_t i = 0; i < head_dim; i++) to[i] = from[i];
            }
        }
    }
}

void merge_heads(float *out, const float *x, size_t batch, size_t length, size_t n_head,
                 size_t head_dim, size_t stride) {
#pragma omp parallel for collapse(2) if (batch * length * n_head * head_dim > 1 << 14)
    for (size_t b = 0; b < batch; b++) {
        for (size_t h = 0; h < n_head; h++) {
            for (size_t t = 0; t < length; t++) {
                const float *from = x + ((b * n_head + h) * length + t) * head_dim;
                float *to = out + (b * length + t) * stride + h * head_dim;
                for (size_t i = 0; i < head_dim; i++) to[i] += from[i];
            }
        }
    }
}
