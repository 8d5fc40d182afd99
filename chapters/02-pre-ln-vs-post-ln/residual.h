/* The residual connection, as a combinator: it wraps any sublayer with a norm and a way
 * to join.
 *
 *     post-LN (Vaswani et al. 2017): the stream is normalized in every layer,
 *                                    out = norm(join(x, sublayer(x)))
 *     pre-LN (GPT-2):                the stream passes no norm (pre_ln.h)
 *
 * Norm, sublayer and join are Layers: which ones does not matter here. Chapter 05 adds
 * kinds of join; chapter 08's block is two of these. */
#ifndef CHAPTER_02_RESIDUAL_H
#define CHAPTER_02_RESIDUAL_H

#include "tensor/layer.h"

/* How a branch joins the stream: x and sublayer(...) in, the new stream out. */
typedef struct {
    Tensor *(*forward)(Tape *t, const void *self, Tensor *x, Tensor *branch);
    const void *self;
} Join;

/* x + branch */
Join join_add(void);

typedef enum { POST_LN, PRE_LN } Placement;

typedef struct {
    Placement placement;
    Layer norm; /* {0}: none */
    Layer sublayer;
    Join join;
} Residual;

/* x [..., C] -> [..., C], by the placement. */
Tensor *residual(Tape *t, const Residual *r, Tensor *x);

/* The given one; its sibling residual_pre_ln is exercise 02/pre_ln (pre_ln.h). */
Tensor *residual_post_ln(Tape *t, const Residual *r, Tensor *x);

static inline Tensor *join_forward(Tape *t, Join join, Tensor *x, Tensor *branch) {
    return join.forward(t, join.self, x, branch);
}

#endif
