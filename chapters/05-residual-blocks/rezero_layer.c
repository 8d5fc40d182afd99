/* ReZero on the tape, around the exercise's kernels: see rezero.h. */
#include "05-residual-blocks/rezero_layer.h"

#include "05-residual-blocks/rezero.h"
#include "base/error.h"

static void backward(const TapeNode *node) {
    Tensor *x = node->inputs[0], *branch = node->inputs[1], *alpha = node->inputs[2],
           *out = node->out;
    rezero_backward(x->grad, branch->grad, alpha->grad, out->grad, branch->data,
                    alpha->data[0], tensor_size(out));
}

Tensor *rezero(Tape *t, Tensor *x, Tensor *branch, Tensor *alpha) {
    char text[TENSOR_SHAPE_TEXT];
    tensor_expect_same_shape("rezero", x, branch);
    if (tensor_size(alpha) != 1)
        die("rezero: alpha is %s, expected [1]", tensor_shape_text(alpha, text));
    Tensor *out =
        tape_output(t, "rezero", x->ndim, x->shape, TAPE_INPUTS(x, branch, alpha));
    rezero_forward(out->data, x->data, branch->data, alpha->data[0], tensor_size(x));
    tape_record(t, out, backward);
    return out;
}
