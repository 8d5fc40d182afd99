/* pRMSNorm on the tape, around the exercise's kernels: see prmsnorm.h. */
#include "03-rmsnorm/prmsnorm.h"

#include "error.h"

PRMSNorm prmsnorm_create(Params *params, size_t dim, size_t part, float eps, const char *name) {
    if (part < 1 || part > dim) die("prmsnorm: a part of %zu, expected 1 to %zu", part, dim);
    PRMSNorm l = {.gain = params_add(params, 1, &dim, "%s.weight", name), dim, part, eps};
    for (size_t i = 0; l.gain->data && i < dim; i++) l.gain->data[i] = 1.0f;
    return l;
}

typedef struct {
    Tensor *out, *x, *gain;
    const float *rrms;
    size_t part;
} Saved;

static void backward(void *saved) {
    Saved *s = saved;
    prmsnorm_backward(s->x->grad, s->gain->grad, s->out->grad, s->x->data, s->rrms, s->gain->data,
                      tensor_rows(s->x), tensor_cols(s->x), s->part);
}

Tensor *prmsnorm(Tape *t, const PRMSNorm *l, Tensor *x) {
    tensor_expect_cols("prmsnorm", "x", x, l->dim);
    size_t rows = tensor_rows(x);
    Tensor *out = tape_output(t, x->ndim, x->shape, TAPE_WANTS_GRAD(t, x, l->gain));
    float *rrms = tape_alloc(t, rows, sizeof *rrms);
    prmsnorm_forward(out->data, rrms, x->data, l->gain->data, rows, l->dim, l->part, l->eps);
    if (out->grad) tape_record(t, backward, &(Saved){out, x, l->gain, rrms, l->part}, sizeof(Saved));
    return out;
}

static Tensor *layer_prmsnorm(Tape *t, const void *self, Tensor *x) {
    return prmsnorm(t, self, x);
}

Layer prmsnorm_layer(const PRMSNorm *l) {
    return (Layer){layer_prmsnorm, l};
}
