/* Kinds of residual connection: how a branch F(x) joins the stream x. */
#ifndef CHAPTER_05_JOIN_H
#define CHAPTER_05_JOIN_H

#include "02-pre-ln-vs-post-ln/residual.h"
#include "weights/params.h"

typedef enum {
    RESIDUAL_NONE,     /* F(x): no connection */
    RESIDUAL_PLAIN,    /* x + F(x) */
    RESIDUAL_REZERO,   /* x + alpha F(x), alpha learned, 0 at first (Bachlechner et al.
                          2020) */
    RESIDUAL_SKIPINIT, /* the same arithmetic in place of a norm, alpha 0 at first (De &
                          Smith 2020) */
    RESIDUAL_FIXUP, /* x + scale F(x) + bias: scale 1 and bias 0 at first, both learned
                       (Zhang et al. 2019) */
    RESIDUAL_ADMIN, /* omega * x + F(x), omega set by admin_set_omega, then learned (Liu
                       et al. 2020) */
    RESIDUAL_KINDS
} ResidualKind;

typedef struct {
    ResidualKind kind;
    Tensor *alpha;       /* [1], ReZero and SkipInit; [1] scale of Fixup */
    Tensor *bias;        /* [1], Fixup */
    Tensor *omega;       /* [d_model], Admin, ones until measured */
    double *branch_size; /* Admin: where a pass leaves the branch's mean square; NULL:
                            nowhere */
} ResidualJoin;

/* Registers NAME.alpha, NAME.bias, NAME.omega as the kind needs. */
ResidualJoin residual_join_create(Params *params, ResidualKind kind, size_t d_model,
                                  const char *name);

/* The Join points to `j`, which must stay where it is. */
Join residual_join(const ResidualJoin *j);

/* Admin, for the `n` post-LN joins of a stream in their order. Let each of them have
 * its `branch_size`, run one forward pass with omega = 1, and call this: omega of join
 * l becomes the root of 1 + branch_size[0] + ... + branch_size[l - 1], about the size
 * of pre-LN's stream there. The 1 is its first input. */
void admin_set_omega(ResidualJoin *joins, size_t n, const double *branch_size);

/* Admin after training: gives omega to the norm that the stream comes from (its `gain`
 * and `bias` [d_model]) and takes it back from the branch's first weight, `entry`
 * [d_model, n]. Then omega is 1, the outputs are the same, and the join may be a plain
 * one. */
void admin_fold(const ResidualJoin *j, Tensor *gain, Tensor *bias, Tensor *entry);

/* "none", "plain", "rezero", "skipinit", "fixup", "admin"; ends the program with the
 * list for other names. */
ResidualKind residual_kind(const char *name);
const char *residual_name(ResidualKind kind);

/* Fixup's standard deviation for the layers of a branch but the last, which starts at
 * zero: std * n_branches^(-1 / (2 n_layers - 2)), with n_layers >= 2 weight layers in
 * each of n_branches branches. (Its biases inside the branch are those of the linear
 * layers.) */
float fixup_init_std(float std, size_t n_branches, size_t n_layers);

#endif
