/* An attack on 06/token_embedding: tokens that repeat, that are not in order, that need
 * more than 16 bits, and that are padding, or would be without it. */
#include "06-embeddings/embedding.h"

#include "check/check.h"

enum { N = 6, ROWS = 65541 };

static void check_tokens(size_t dim, int padding) {
    const int tokens[N] = {4, 0, 65540, 4, 3, 0};
    float *table = normal_floats(ROWS * dim, 1, 1),
          *dout = normal_floats(N * dim, 1, 2);
    float *out = nan_floats(N * dim), *dtable = ones_and_a_half(ROWS * dim);
    double *right = as_double(dout, N * dim),
           *right_dtable = as_double(dtable, ROWS * dim);
    for (size_t i = 0; i < N * dim; i++) {
        size_t at = (size_t)tokens[i / dim] * dim + i % dim;
        right[i] = (double)table[at];
        if (tokens[i / dim] != padding) right_dtable[at] += (double)dout[i];
    }
    embedding_forward(out, table, tokens, N, dim);
    CHECK_CLOSE("out", out, right, N * dim, 1e-6);
    embedding_backward(dtable, dout, tokens, N, dim, padding);
    CHECK_CLOSE("dtable", dtable, right_dtable, ROWS * dim, 1e-6);
}

Test(attack, tokens) {
    check_tokens(3, NO_PADDING);
    check_tokens(3, 65540);
    check_tokens(3, 0);
    check_tokens(60, 4);
}
