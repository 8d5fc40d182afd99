/* pRMSNorm on the tape, around the exercise's kernels: see prmsnorm.h. */
#include "03-rmsnorm/prmsnorm_layer.h"

#include "03-rmsnorm/prmsnorm.h"
#include "base/error.h"

PRMSNorm prmsnorm_create(Params *params, size_t dim, size_t part, float eps,
                         const char *name) {
    if (part < 1 || part > dim)
        die("prmsnorm: a part of %zu, expected 1 to %zu", part, dim);
    params_push(params, "%s", name);
    PRMSNorm l = {.gain = params_add(params, 1, &dim, "weight"), dim, part, eps};
    params_pop(params);
    for (size_t i = 0; l.gain->data && i < dim; i++) l.gain->data[i] = 1.0f;
    return l;
}

typedef struct {
    const float *rrms; /* [rows] */
    size_t part;
} Saved;

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    Tensor *x = node->inputs[0], *gain = node->inputs[1];
    prmsnorm_backward(x->grad, gain->grad, node->out->grad, x->data, s->rrms,
                      gain->data, tensor_rows(x), tensor_cols(x), s->part);
}

Tensor *prmsnorm(Tape *t, const PRMSNorm *l, Tensor *x) {
    tensor_expect_cols("prmsnorm", "x", x, l->dim);
    size_t rows = tensor_rows(x);
    Tensor *out =
        tape_output(t, "prmsnorm", x->ndim, x->shape, TAPE_INPUTS(x, l->gain));
    float *rrms = tape_alloc(t, rows, sizeof *rrms);
    prmsnorm_forward(out->data, rrms, x->data, l->gain->data, rows, l->dim, l->part,
                     l->eps);
    tape_record_saved(t, out, backward, &(Saved){rrms, l->part}, sizeof(Saved));
    return out;
}

static Tensor *layer_prmsnorm(Tape *t, const void *self, Tensor *x) {
    return prmsnorm(t, self, x);
}

Layer prmsnorm_layer(const PRMSNorm *l) {
    return (Layer){layer_prmsnorm, l};
}
