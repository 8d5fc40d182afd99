/* RMSNorm on the tape, around the exercise's kernels: see rmsnorm.h. */
#include "03-rmsnorm/rmsnorm_layer.h"

#include "03-rmsnorm/rmsnorm.h"

RMSNorm rmsnorm_create(Params *params, size_t dim, float eps, const char *name) {
    params_push(params, "%s", name);
    RMSNorm l = {.gain = params_add(params, 1, &dim, "weight"), .dim = dim, .eps = eps};
    params_pop(params);
    for (size_t i = 0; l.gain->data && i < dim; i++) l.gain->data[i] = 1.0f;
    return l;
}

typedef struct {
    const float *rrms; /* [rows] */
} Saved;

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    Tensor *x = node->inputs[0], *gain = node->inputs[1];
    rmsnorm_backward(x->grad, gain->grad, node->out->grad, x->data, s->rrms, gain->data,
                     tensor_rows(x), tensor_cols(x));
}

Tensor *rmsnorm(Tape *t, const RMSNorm *l, Tensor *x) {
    tensor_expect_cols("rmsnorm", "x", x, l->dim);
    size_t rows = tensor_rows(x);
    Tensor *out = tape_output(t, "rmsnorm", x->ndim, x->shape, TAPE_INPUTS(x, l->gain));
    float *rrms = tape_alloc(t, rows, sizeof *rrms);
    rmsnorm_forward(out->data, rrms, x->data, l->gain->data, rows, l->dim, l->eps);
    tape_record_saved(t, out, backward, &(Saved){rrms}, sizeof(Saved));
    return out;
}
