/* Softmax and cross-entropy on the tape, around the exercise's kernels: see softmax_cross_entropy.h. */
#include "00-tensors/softmax_cross_entropy.h"
#include "error.h"

typedef struct {
    Tensor *out, *x;
    size_t outer, n, inner;
} SoftmaxSaved;

static void softmax_node(void *saved) {
    SoftmaxSaved *s = saved;
    softmax_backward(s->x->grad, s->out->grad, s->out->data, s->outer, s->n, s->inner);
}

Tensor *softmax(Tape *t, Tensor *x, int axis) {
    if (axis < -x->ndim || axis >= x->ndim) die("softmax: axis %d of a tensor with %d axes", axis, x->ndim);
    if (axis < 0) axis += x->ndim;
    size_t outer = shape_size(axis, x->shape), n = x->shape[axis];
    size_t inner = shape_size(x->ndim - axis - 1, x->shape + axis + 1);
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x));
    softmax_forward(out->data, x->data, outer, n, inner);
    if (out->grad)
        tape_record(t, softmax_node, &(SoftmaxSaved){out, x, outer, n, inner}, sizeof(SoftmaxSaved));
    return out;
}

typedef struct {
    Tensor *out, *logits;
    const float *logsumexp;
    const int *targets;
} LossSaved;

static void loss_node(void *saved) {
    LossSaved *s = saved;
    cross_entropy_backward(s->logits->grad, s->out->grad[0], s->logits->data, s->logsumexp, s->targets,
                           tensor_rows(s->logits), tensor_cols(s->logits));
}

Tensor *cross_entropy(Tape *t, Tensor *logits, const int *targets) {
    size_t rows = tensor_rows(logits), n_classes = tensor_cols(logits);
    for (size_t r = 0; r < rows; r++) {
        if (targets[r] != IGNORE_TARGET && (targets[r] < 0 || (size_t)targets[r] >= n_classes)) {
            die("cross_entropy: target %d in row %zu, expected 0 to %zu", targets[r], r, n_classes - 1);
        }
    }
    Tensor *out = tape_output(t, 1, (size_t[]){1}, TAPE_WANTS_GRAD(t, logits));
    float *logsumexp = tape_alloc(t, rows, sizeof *logsumexp);
    out->data[0] = cross_entropy_forward(logsumexp, logits->data, targets, rows, n_classes);
    if (out->grad)
        tape_record(t, loss_node, &(LossSaved){out, logits, logsumexp, targets}, sizeof(LossSaved));
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
