/* Operations of this chapter's models: see operations.h. */
#include "06-embeddings/experiments/operations.h"

#include "kernels/matmul.h"

static void transpose_backward(const TapeNode *node) {
    Tensor *x = node->inputs[0];
    size_t rows = x->shape[0], cols = x->shape[1];
    for (size_t i = 0; i < rows * cols; i++)
        x->grad[i] += node->out->grad[i % cols * rows + i / cols];
}

Tensor *transpose(Tape *t, Tensor *x) {
    size_t rows = x->shape[0], cols = x->shape[1];
    Tensor *out =
        tape_output(t, "transpose", 2, (size_t[]){cols, rows}, TAPE_INPUTS(x));
    for (size_t i = 0; i < rows * cols; i++)
        out->data[i % cols * rows + i / cols] = x->data[i];
    tape_record(t, out, transpose_backward);
    return out;
}

/* The weights of row b: its own, or those that all rows share. */
static size_t weights_at(const Tensor *weights, size_t b) {
    return weights->ndim == 3 ? b * weights->shape[1] * weights->shape[2] : 0;
}

static void mix_backward(const TapeNode *node) {
    Tensor *weights = node->inputs[0], *x = node->inputs[1], *out = node->out;
    size_t n_out = out->shape[1], n_in = x->shape[1], dim = x->shape[2];
    for (size_t b = 0; b < x->shape[0]; b++) {
        const float *dout = out->grad + b * n_out * dim;
        size_t w = weights_at(weights, b), at = b * n_in * dim;
        if (x->grad)
            matmul_at_b(x->grad + at, weights->data + w, dout, n_in, dim, n_out, true);
        if (weights->grad)
            matmul_a_bt(weights->grad + w, dout, x->data + at, n_out, n_in, dim, true);
    }
}

Tensor *mix(Tape *t, Tensor *weights, Tensor *x) {
    size_t batch = x->shape[0], n_in = x->shape[1], dim = x->shape[2],
           n_out = weights->shape[weights->ndim - 2];
    tensor_expect_cols("mix", "weights", weights, n_in);
    Tensor *out = tape_output(t, "mix", 3, (size_t[]){batch, n_out, dim},
                              TAPE_INPUTS(weights, x));
    for (size_t b = 0; b < batch; b++) {
        matmul(out->data + b * n_out * dim, weights->data + weights_at(weights, b),
               x->data + b * n_in * dim, n_out, dim, n_in, false);
    }
    tape_record(t, out, mix_backward);
    return out;
}

Tensor *mean_of_places(Tape *t, size_t places) {
    Tensor *w = tape_tensor(t, 2, (size_t[]){1, places}, false);
    for (size_t i = 0; i < places; i++) w->data[i] = 1.0f / (float)places;
    return w;
}

Tensor *mean_of_words(Tape *t, const size_t *lengths, size_t batch, size_t places) {
    Tensor *w = tape_tensor(t, 3, (size_t[]){batch, 1, places}, false);
    for (size_t i = 0; i < batch * places; i++) {
        size_t length = lengths[i / places];
        w->data[i] = i % places < length ? 1.0f / (float)length : 0.0f;
    }
    return w;
}

Tensor *mean_so_far(Tape *t, size_t places) {
    Tensor *w = tape_tensor(t, 2, (size_t[]){places, places}, false);
    for (size_t i = 0; i < places * places; i++) {
        size_t row = i / places;
        w->data[i] = i % places <= row ? 1.0f / (float)(row + 1) : 0.0f;
    }
    return w;
}
