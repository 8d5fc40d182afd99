/* The embedding on the tape, around the exercise's kernels: see embedding.h. */
#include "06-embeddings/embedding_layer.h"

#include <string.h>

#include "base/error.h"
#include "weights/weight.h"

/* Ends the program with the place of the first token that is not a row of the table. */
static void expect_tokens(const int *tokens, size_t n, size_t row_length,
                          size_t n_rows) {
    for (size_t i = 0; i < n; i++) {
        if (tokens[i] >= 0 && (size_t)tokens[i] < n_rows) continue;
        die("embedding: token %d in row %zu, place %zu, expected 0 to %zu", tokens[i],
            i / row_length, i % row_length, n_rows - 1);
    }
}

typedef struct {
    const int *tokens;
    int padding;
} Saved;

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    Tensor *table = node->inputs[0], *out = node->out;
    embedding_backward(table->grad, out->grad, s->tokens, tensor_rows(out),
                       tensor_cols(out), s->padding);
}

Tensor *embedding(Tape *t, Tensor *table, const int *tokens, int ndim,
                  const size_t *shape, int padding) {
    char text[TENSOR_SHAPE_TEXT];
    if (table->ndim != 2)
        die("embedding: table is %s, expected two axes",
            tensor_shape_text(table, text));
    if (ndim < 1 || ndim >= TENSOR_MAX_NDIM)
        die("embedding: tokens have %d axes, expected 1 to 3", ndim);
    size_t n_rows = table->shape[0], dim = table->shape[1], n = shape_size(ndim, shape);
    expect_tokens(tokens, n, shape[ndim - 1], n_rows);

    size_t out_shape[TENSOR_MAX_NDIM];
    memcpy(out_shape, shape, (size_t)ndim * sizeof *shape);
    out_shape[ndim] = dim;
    Tensor *out = tape_output(t, "embedding", ndim + 1, out_shape, TAPE_INPUTS(table));
    if (table->stored) {
        for (size_t i = 0; i < n; i++)
            weight_row(out->data + i * dim, table->stored, (size_t)tokens[i]);
    } else {
        embedding_forward(out->data, table->data, tokens, n, dim);
    }
    tape_record_saved(t, out, backward, &(Saved){tokens, padding}, sizeof(Saved));
    return out;
}
