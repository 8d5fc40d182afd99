/* The linear layer: see linear.h. */
#include "00-tensors/linear.h"

#include <string.h>

#include "00-tensors/matmul_backward.h"

void linear_forward(float *out, const float *x, const Weight *weight, const float *bias,
                    size_t rows) {
    weight_multiply(out, x, weight, bias, rows);
}

Linear linear_create(Params *params, Random *init, size_t n_in, size_t n_out,
                     bool has_bias, float std, const char *name) {
    params_push(params, "%s", name);
    Linear l = {.weight = params_add(params, 2, (size_t[]){n_in, n_out}, "weight")};
    if (has_bias) l.bias = params_add(params, 1, (size_t[]){n_out}, "bias");
    params_pop(params);
    if (init) random_fill_normal(init, l.weight->data, n_in * n_out, std);
    return l;
}

static void backward(const TapeNode *node) {
    Tensor *x = node->inputs[0], *weight = node->inputs[1], *bias = node->inputs[2],
           *out = node->out;
    matmul_backward(x->grad, weight->grad, bias ? bias->grad : NULL, out->grad, x->data,
                    weight->data, tensor_rows(x), weight->shape[0], weight->shape[1]);
}

Tensor *linear(Tape *t, const Linear *l, Tensor *x) {
    size_t n_in = l->weight->shape[0], n_out = l->weight->shape[1];
    tensor_expect_cols("linear", "x", x, n_in);
    size_t shape[TENSOR_MAX_NDIM];
    memcpy(shape, x->shape, sizeof shape);
    shape[x->ndim - 1] = n_out;

    Tensor *out =
        tape_output(t, "linear", x->ndim, shape, TAPE_INPUTS(x, l->weight, l->bias));
    Weight weight = tensor_weight(l->weight);
    linear_forward(out->data, x->data, &weight, l->bias ? l->bias->data : NULL,
                   tensor_rows(x));
    tape_record(t, out, backward);
    return out;
}
