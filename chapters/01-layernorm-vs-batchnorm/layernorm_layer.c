/* LayerNorm on the tape, around the exercise's kernels: see layernorm.h. */
#include "01-layernorm-vs-batchnorm/layernorm_layer.h"

#include <string.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "base/error.h"

LayerNorm layernorm_create_with(Params *params, int ndim,
                                const size_t *normalized_shape, float eps,
                                bool has_gain, bool has_bias, const char *name) {
    if (ndim < 1 || ndim > TENSOR_MAX_NDIM) {
        die("layernorm '%s': %d normalized axes, expected 1 to %d", name, ndim,
            TENSOR_MAX_NDIM);
    }
    LayerNorm l = {.ndim = ndim, .dim = shape_size(ndim, normalized_shape), .eps = eps};
    for (int i = 0; i < ndim; i++) l.normalized_shape[i] = normalized_shape[i];
    if (!has_gain && !has_bias) return l;
    params_push(params, "%s", name);
    if (has_gain) l.gain = params_add(params, ndim, normalized_shape, "weight");
    if (has_bias) l.bias = params_add(params, ndim, normalized_shape, "bias");
    params_pop(params);
    for (size_t i = 0; l.gain && l.gain->data && i < l.dim; i++) l.gain->data[i] = 1.0f;
    return l;
}

LayerNorm layernorm_create(Params *params, int ndim, const size_t *normalized_shape,
                           float eps, const char *name) {
    return layernorm_create_with(params, ndim, normalized_shape, eps, true, true, name);
}

/* The last axes of x must be normalized_shape. */
static void expect_shape(const LayerNorm *l, const Tensor *x) {
    bool same = x->ndim >= l->ndim;
    for (int i = 1; same && i <= l->ndim; i++) {
        same = x->shape[x->ndim - i] == l->normalized_shape[l->ndim - i];
    }
    if (same) return;
    char x_text[TENSOR_SHAPE_TEXT], expected[TENSOR_SHAPE_TEXT];
    Tensor last = {.ndim = l->ndim};
    memcpy(last.shape, l->normalized_shape, sizeof last.shape);
    die("layernorm: x is %s, expected the last axes to be %s",
        tensor_shape_text(x, x_text), tensor_shape_text(&last, expected));
}

typedef struct {
    const float *mean, *rstd; /* [rows] */
    size_t rows, dim;
} Saved;

static void backward(const TapeNode *node) {
    const Saved *s = node->saved;
    Tensor *x = node->inputs[0], *gain = node->inputs[1], *bias = node->inputs[2];
    layernorm_backward(x->grad, gain ? gain->grad : NULL, bias ? bias->grad : NULL,
                       node->out->grad, x->data, s->mean, s->rstd,
                       gain ? gain->data : NULL, s->rows, s->dim);
}

Tensor *layernorm(Tape *t, const LayerNorm *l, Tensor *x) {
    expect_shape(l, x);
    size_t rows = l->dim ? tensor_size(x) / l->dim : 0;
    Tensor *out = tape_output(t, "layernorm", x->ndim, x->shape,
                              TAPE_INPUTS(x, l->gain, l->bias));
    float *mean = tape_alloc(t, rows, sizeof *mean),
          *rstd = tape_alloc(t, rows, sizeof *rstd);
    layernorm_forward(out->data, mean, rstd, x->data, l->gain ? l->gain->data : NULL,
                      l->bias ? l->bias->data : NULL, rows, l->dim, l->eps);
    tape_record_saved(t, out, backward,
                      &(Saved){.mean = mean, .rstd = rstd, .rows = rows, .dim = l->dim},
                      sizeof(Saved));
    return out;
}

static Tensor *layer_layernorm(Tape *t, const void *self, Tensor *x) {
    return layernorm(t, self, x);
}

Layer layernorm_layer(const LayerNorm *l) {
    return (Layer){layer_layernorm, l};
}
