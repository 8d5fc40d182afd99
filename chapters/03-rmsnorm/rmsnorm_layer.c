/* RMSNorm on the tape, around the exercise's kernels: see rmsnorm.h. */
#include "03-rmsnorm/rmsnorm.h"

RMSNorm rmsnorm_create(Params *params, size_t dim, float eps, const char *name) {
    RMSNorm l = {.gain = params_add(params, 1, &dim, "%s.weight", name), .dim = dim, .eps = eps};
    for (size_t i = 0; l.gain->data && i < dim; i++) l.gain->data[i] = 1.0f;
    return l;
}

//> rmsnorm
typedef struct {
    Tensor *out, *x, *gain;
    const float *rrms;
} Saved;

static void backward(void *saved) {
    Saved *s = saved;
    rmsnorm_backward(s->x->grad, s->gain->grad, s->out->grad, s->x->data, s->rrms, s->gain->data,
                     tensor_rows(s->x), tensor_cols(s->x));
}

Tensor *rmsnorm(Tape *t, const RMSNorm *l, Tensor *x) {
    tensor_expect_cols("rmsnorm", "x", x, l->dim);
    size_t rows = tensor_rows(x);
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x, l->gain));
    float *rrms = tape_alloc(t, rows, sizeof *rrms);
    rmsnorm_forward(out->data, rrms, x->data, l->gain->data, rows, l->dim, l->eps);
    if (out->grad) tape_record(t, backward, &(Saved){out, x, l->gain, rrms}, sizeof(Saved));
    return out;
}
//< rmsnorm
