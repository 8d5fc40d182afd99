/* Ways to build the same stack of residual sublayers, and how large the stream becomes
 * in each. */
#ifndef CHAPTER_05_SCHEMES_H
#define CHAPTER_05_SCHEMES_H

#include "02-pre-ln-vs-post-ln/stack.h"
#include "05-residual-blocks/join.h"
#include "program/program.h"

typedef struct {
    const char *name, *formula;
    ResidualKind kind;
    bool normalized;
    Placement placement;
    bool scaled; /* output projections by residual_init_std */
} Scheme;

/* The first SIZED are those whose stream is measured. */
enum {
    NONE,
    PLAIN,
    PLAIN_SCALED,
    POST,
    PRE,
    PRE_SCALED,
    REZERO,
    SIZED,
    NORM_ONLY = SIZED,
    SKIPINIT,
    FIXUP,
    ADMIN,
    SCHEMES
};

extern const Scheme schemes[SCHEMES];

/* Multiplies all of them by the factor. */
void scale_weights(Tensor *w, float factor);

/* The config of a stack of that scheme. */
StackConfig scheme_stack(const Scheme *s, size_t d_model, size_t d_hidden, size_t depth,
                         size_t n_out);

/* Turns a new stack of scheme_stack into one of the scheme: its joins [depth], which
 * are registered in `params`, and its initialization. For Admin this runs the profiling
 * pass. The same seed gives the same weights in every scheme, up to their scale.
 * `joins` must stay where they are. */
void scheme_apply(const Scheme *s, Params *params, Stack *stack, ResidualJoin *joins);

/* A stack without a head that will not be trained. It must stay where it is. */
typedef struct {
    Params params;
    Stack stack;
    ResidualJoin *joins; /* [depth] */
} Network;

Network network_create(const Scheme *s, size_t d_model, size_t d_hidden, uint64_t seed,
                       size_t depth);
void network_free(Network *n);

enum { D_MODEL = 64, D_HIDDEN = 256, ROWS = 32, MAX_DEPTH = 512 };

/* size[l] = |x_l|^2 / d for l = 0 (the input, N(0, 1)) to depth, the mean over ROWS
 * inputs. */
void stream_size(double *size, const Scheme *s, uint64_t seed, size_t depth);

/* The same over 10 seeds, the geometric mean: the arithmetic mean of a product of
 * random factors is decided by few seeds. */
void mean_stream_size(double *size, const Scheme *s, const Settings *settings,
                      size_t depth);

#endif
