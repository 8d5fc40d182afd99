/* Each position gets its neighbour's features. Before you read on: make hint-08
 * P=fixed_place */
#include "08-transformer-block/problems/fixed_place.h"

/* The numbers of position t - 1 stand C floats in front of those of position t. */
static void backward(const TapeNode *node) {
    Tensor *x = node->inputs[0], *out = node->out;
    size_t length = x->shape[1], dim = x->shape[2], n = tensor_size(x);
    for (size_t i = dim; x->grad && i < n; i++) {
        if (i / dim % length) x->grad[i - dim] += out->grad[i];
    }
}

/* Attention has to learn where to look, and here that is known: one to the left. The
 * FFN can use that digit at once. */
Tensor *fixed_place(Tape *t, Tensor *x) {
    Tensor *out = tape_output(t, "left neighbour", x->ndim, x->shape, TAPE_INPUTS(x));
    size_t length = x->shape[1], dim = x->shape[2], n = tensor_size(x);
    for (size_t i = 0; i < n; i++)
        out->data[i] = i / dim % length ? x->data[i - dim] : 0;
    tape_record(t, out, backward);
    return out;
}
