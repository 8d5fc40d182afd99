/* ReZero on the tape, around the exercise's kernels: see rezero.h. */
#include "05-residual-blocks/rezero.h"
#include "error.h"

typedef struct {
    Tensor *out, *x, *branch, *alpha;
} Saved;

static void backward(void *saved) {
    Saved *s = saved;
    rezero_backward(s->x->grad, s->branch->grad, s->alpha->grad, s->out->grad, s->branch->data,
                    s->alpha->data[0], tensor_size(s->out));
}

Tensor *rezero(Tape *t, Tensor *x, Tensor *branch, Tensor *alpha) {
    char text[TENSOR_SHAPE_TEXT];
    tensor_expect_same_shape("rezero", x, branch);
    if (tensor_size(alpha) != 1) die("rezero: alpha is %s, expected [1]", tensor_shape_text(alpha, text));
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x, branch, alpha));
    rezero_forward(out->data, x->data, branch->data, alpha->data[0], tensor_size(x));
    if (out->grad) tape_record(t, backward, &(Saved){out, x, branch, alpha}, sizeof(Saved));
    return out;
}
