/* Mixed precision (Micikevicius et al. 2018): a step computes with weights, outputs and
 * gradients that are rounded to 16 bits, and updates weights of float32. The arithmetic
 * stays float: what would be stored is rounded. */
#ifndef CHAPTER_11_MIXED_PRECISION_H
#define CHAPTER_11_MIXED_PRECISION_H

#include "tensor/tape.h"
#include "weights/params.h"

typedef enum { PRECISION_FLOAT32, PRECISION_BFLOAT16, PRECISION_FLOAT16 } Precision;

/* "float32"; and the precision of that name, which ends the program for other names. */
const char *precision_name(Precision precision);
Precision precision_named(const char *name);

/* The nearest number of the precision. */
float round_float(Precision precision, float x);
void round_floats(Precision precision, float *x, size_t n);

/* Rounds what an operation has just computed, forward its output and backward the
 * gradients of its inputs. A tensor of one number, the loss, is left in float32. */
void round_node(Precision precision, const TapeNode *node, TapePass pass);

/* That as a watch of the tape, without a context; NULL for float32. */
TapeWatch *precision_watch(Precision precision);

/* Dynamic loss scaling: small gradients become 0 in float16, so the loss is multiplied
 * by a factor, and gradients are divided by it. */
typedef struct {
    float factor;      /* a power of two */
    size_t good_steps; /* since it was changed */
    size_t grow_after; /* as many double it; 0: it stays */
} LossScale;

/* As PyTorch's: 2^16, doubled after 2000 steps, for float16; else 1. */
LossScale loss_scale_create(Precision precision);

/* Behind a step: halves the factor where a gradient overflowed, doubles it where it is
 * time. */
void loss_scale_update(LossScale *scale, bool overflowed);

typedef struct {
    Precision precision;
    LossScale scale;
    float *master; /* [weights] in float32, while rounded ones stand in their place */
    float
        *sum; /* [n_grads] gradients of earlier micro-batches; NULL: there were none */
} MixedPrecision;

MixedPrecision mixed_create(Precision precision, const Params *params);
void mixed_free(MixedPrecision *m);

/* Around the passes of a step. In between the weights are rounded; afterwards they are
 * what they were, and the gradients are divided by the factor. */
void mixed_begin(MixedPrecision *m, const Params *params);
void mixed_end(MixedPrecision *m, Params *params);

/* The gradients of micro-batches are added in float32: each but the first is computed
 * behind mixed_keep, and mixed_collect, which mixed_end calls, adds all to the last. */
void mixed_keep(MixedPrecision *m, Params *params);
void mixed_collect(MixedPrecision *m, Params *params);

#endif
