/* Exercise 06/token_embedding.
 * The contract is in chapters/06-embeddings/embedding.h. */
#include "06-embeddings/embedding.h"

#include <string.h>

#include "base/error.h"

void embedding_forward(float *out, const float *table, const int *tokens, size_t n,
                       size_t dim) {
    EXERCISE_TODO("06/token_embedding");
}

void embedding_backward(float *dtable, const float *dout, const int *tokens, size_t n,
                        size_t dim, int padding) {
    EXERCISE_TODO("06/token_embedding");
}
