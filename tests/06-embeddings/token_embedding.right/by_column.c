/* One column after the other: then no two steps of the outer loop share an element of
 * the table. */
#include "06-embeddings/embedding.h"

void embedding_forward(float *out, const float *table, const int *tokens, size_t n,
                       size_t dim) {
    for (size_t c = 0; c < dim; c++) {
        for (size_t i = 0; i < n; i++)
            out[i * dim + c] = (table + (size_t)tokens[i] * dim)[c];
    }
}

void embedding_backward(float *dtable, const float *dout, const int *tokens, size_t n,
                        size_t dim, int padding) {
#pragma omp parallel for if (n * dim > 1 << 14)
    for (size_t c = 0; c < dim; c++) {
        for (size_t i = 0; i < n; i++) {
            if (tokens[i] != padding)
                (dtable + (size_t)tokens[i] * dim)[c] += dout[i * dim + c];
        }
    }
}
