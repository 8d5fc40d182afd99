/* Softmax and cross-entropy on the tape, around the exercise's kernels: see
 * softmax_cross_entropy.h. */
#include "00-tensors/softmax_layer.h"
#include "base/error.h"

/* The axis of length n, and the sizes before it and behind it. */
typedef struct {
    size_t outer, n, inner;
} Axis;

static void softmax_node(const TapeNode *node) {
    const Axis *a = node->saved;
    softmax_backward(node->inputs[0]->grad, node->out->grad, node->out->data, a->outer,
                     a->n, a->inner);
}

Tensor *softmax(Tape *t, Tensor *x, int axis) {
    if (axis < -x->ndim || axis >= x->ndim)
        die("softmax: axis %d of a tensor with %d axes", axis, x->ndim);
    if (axis < 0) axis += x->ndim;
    Axis a = {.outer = shape_size(axis, x->shape),
              .n = x->shape[axis],
              .inner = shape_size(x->ndim - axis - 1, x->shape + axis + 1)};
    Tensor *out = tape_output(t, "softmax", x->ndim, x->shape, TAPE_INPUTS(x));
    softmax_forward(out->data, x->data, a.outer, a.n, a.inner);
    tape_record_saved(t, out, softmax_node, &a, sizeof a);
    return out;
}

typedef struct {
    const float *logsumexp;
    const int *targets;
} LossSaved;

static void loss_node(const TapeNode *node) {
    const LossSaved *s = node->saved;
    Tensor *logits = node->inputs[0];
    cross_entropy_backward(logits->grad, node->out->grad[0], logits->data, s->logsumexp,
                           s->targets, tensor_rows(logits), tensor_cols(logits));
}

Tensor *cross_entropy(Tape *t, Tensor *logits, const int *targets) {
    size_t rows = tensor_rows(logits), n_classes = tensor_cols(logits);
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] != IGNORE_TARGET &&
            (targets[r] < 0 || (size_t)targets[r] >= n_classes)) {
            die("cross_entropy: target %d in row %zu, expected 0 to %zu", targets[r], r,
                n_classes - 1);
        }
    }
    Tensor *out =
        tape_output(t, "cross_entropy", 1, (size_t[]){1}, TAPE_INPUTS(logits));
    float *logsumexp = tape_alloc(t, rows, sizeof *logsumexp);
    out->data[0] =
        cross_entropy_forward(logsumexp, logits->data, targets, rows, n_classes);
    tape_record_saved(t, out, loss_node, &(LossSaved){logsumexp, targets},
                      sizeof(LossSaved));
    return out;
}

double accuracy(const Tensor *logits, const int *targets) {
    size_t rows = tensor_rows(logits), n_classes = tensor_cols(logits), right = 0;
    for (size_t r = 0; r < rows; r++) {
        const float *row = logits->data + r * n_classes;
        size_t best = 0;
        for (size_t i = 1; i < n_classes; i++) best = row[i] > row[best] ? i : best;
        right += (int)best == targets[r];
    }
    return (double)right / (double)rows;
}
