/* Token embedding. Before you read on: make hint-06 EX=token_embedding */
#include "06-embeddings/embedding.h"

#include <string.h>

void embedding_forward(float *out, const float *table, const int *tokens, size_t n,
                       size_t dim) {
#pragma omp parallel for if (n * dim > 1 << 14)
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * dim, table + (size_t)tokens[i] * dim, dim * sizeof(float));
    }
}

/* Two tokens may share a row, so one thread goes over all tokens in order. */
void embedding_backward(float *dtable, const float *dout, const int *tokens, size_t n,
                        size_t dim, int padding) {
    for (size_t i = 0; i < n; i++) {
        if (tokens[i] == padding) continue;
        float *row = dtable + (size_t)tokens[i] * dim;
        for (size_t c = 0; c < dim; c++) row[c] += dout[i * dim + c];
    }
}
