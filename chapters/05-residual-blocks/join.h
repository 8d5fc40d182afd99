/* Kinds of residual connection: how a branch F(x) joins the stream x. */
#ifndef CHAPTER_05_JOIN_H
#define CHAPTER_05_JOIN_H

#include "02-pre-ln-vs-post-ln/residual.h"
#include "params.h"

typedef enum {
    RESIDUAL_NONE,     /* F(x): no connection */
    RESIDUAL_PLAIN,    /* x + F(x) */
    RESIDUAL_REZERO,   /* x + alpha F(x), alpha learned, 0 at first (Bachlechner et al. 2020) */
    RESIDUAL_SKIPINIT, /* the same arithmetic in place of a norm, alpha 0 at first (De & Smith 2020) */
    RESIDUAL_FIXUP, /* x + scale F(x + bias) + bias: scalars learned, branch rescaled (Zhang et al. 2019) */
    RESIDUAL_ADMIN, /* omega * x + F(x), omega set once from measured variances (Liu et al. 2020) */
} ResidualKind;

typedef struct {
    ResidualKind kind;
    Tensor *alpha; /* [1], ReZero and SkipInit; [1] scale of Fixup */
    Tensor *bias;  /* [1], Fixup */
    Tensor *omega; /* [d_model], Admin, ones until measured */
} ResidualJoin;

/* Registers NAME.alpha and so on as the kind needs. */
ResidualJoin residual_join_create(Params *params, ResidualKind kind, size_t d_model, const char *name);

/* The Join points to `j`, which must stay where it is. */
Join residual_join(const ResidualJoin *j);

/* "none", "plain", "rezero", "skipinit", "fixup", "admin"; ends the program with the list for other names. */
ResidualKind residual_kind(const char *name);

#endif
