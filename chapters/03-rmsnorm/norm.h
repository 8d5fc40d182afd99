/* Any of the norms so far, chosen by a config. */
#ifndef CHAPTER_03_NORM_H
#define CHAPTER_03_NORM_H

#include "01-layernorm-vs-batchnorm/batchnorm.h"
#include "01-layernorm-vs-batchnorm/layernorm_layer.h"
#include "03-rmsnorm/rmsnorm_layer.h"

typedef enum { NORM_NONE, NORM_BATCH, NORM_LAYER, NORM_RMS } NormKind;

typedef struct {
    NormKind kind;
    LayerNorm layer; /* the one that `kind` names is used */
    RMSNorm rms;
    BatchNorm batch;
} Norm;

/* Registers the norm's parameters under NAME.weight and NAME.bias. BatchNorm takes its
 * statistics over all axes of x [..., dim] but the last. */
Norm norm_create(Params *params, NormKind kind, size_t dim, float eps,
                 const char *name);

Tensor *norm(Tape *t, const Norm *n, Tensor *x);

/* The Layer points to `n`, which must stay where it is. {0}, which does nothing, for
 * NORM_NONE. */
Layer norm_layer(const Norm *n);

/* "none", "batch", "layer", "rms" to its kind; ends the program with the list for other
 * names. */
NormKind norm_kind(const char *name);
const char *norm_name(NormKind kind);

void norm_free(Norm *n);

#endif
