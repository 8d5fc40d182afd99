/* Any of the norms so far, chosen by a config: see norm.h. */
#include "03-rmsnorm/norm.h"

#include <string.h>

#include "base/error.h"

static const char *const names[] = {"none", "batch", "layer", "rms"};

NormKind norm_kind(const char *name) {
    for (NormKind kind = NORM_NONE; kind <= NORM_RMS; kind++) {
        if (strcmp(name, names[kind]) == 0) return kind;
    }
    die("norm '%s': expected none, batch, layer or rms", name);
}

const char *norm_name(NormKind kind) {
    return kind <= NORM_RMS ? names[kind] : "unknown";
}

Norm norm_create(Params *params, NormKind kind, size_t dim, float eps,
                 const char *name) {
    Norm n = {.kind = kind};
    switch (kind) {
    case NORM_NONE:
        break;
    case NORM_BATCH:
        n.batch = batchnorm_create(params, dim, name);
        n.batch.eps = eps;
        break;
    case NORM_LAYER:
        n.layer = layernorm_create(params, 1, &dim, eps, name);
        break;
    case NORM_RMS:
        n.rms = rmsnorm_create(params, dim, eps, name);
        break;
    }
    return n;
}

/* BatchNorm expects the channels in axis 1: every position of every sequence becomes a
 * sample of its own. */
static Tensor *batchnorm_last_axis(Tape *t, const BatchNorm *l, Tensor *x) {
    tensor_expect_cols("batchnorm", "x", x, l->channels);
    Tensor *samples = tape_reshape(t, x, 2, (size_t[]){tensor_rows(x), tensor_cols(x)});
    return tape_reshape(t, batchnorm(t, l, samples), x->ndim, x->shape);
}

Tensor *norm(Tape *t, const Norm *n, Tensor *x) {
    switch (n->kind) {
    case NORM_NONE:
        break;
    case NORM_BATCH:
        return batchnorm_last_axis(t, &n->batch, x);
    case NORM_LAYER:
        return layernorm(t, &n->layer, x);
    case NORM_RMS:
        return rmsnorm(t, &n->rms, x);
    }
    return x;
}

static Tensor *layer_norm(Tape *t, const void *self, Tensor *x) {
    return norm(t, self, x);
}

Layer norm_layer(const Norm *n) {
    return n->kind == NORM_NONE ? (Layer){0} : (Layer){layer_norm, n};
}

void norm_free(Norm *n) {
    if (n->kind == NORM_BATCH) batchnorm_free(&n->batch);
    *n = (Norm){0};
}
