/* One loop over all elements of out and dout. */
#include "06-embeddings/embedding.h"

void embedding_forward(float *out, const float *table, const int *tokens, size_t n,
                       size_t dim) {
    for (size_t k = 0; k < n * dim; k++)
        out[k] = table[(size_t)tokens[k / dim] * dim + k % dim];
}

void embedding_backward(float *dtable, const float *dout, const int *tokens, size_t n,
                        size_t dim, int padding) {
    for (size_t k = 0; k < n * dim; k++) {
        int token = tokens[k / dim];
        if (token != padding) dtable[(size_t)token * dim + k % dim] += dout[k];
    }
}
