/* Ways to build the same stack of residual sublayers, and how large the stream becomes in each. */
#ifndef CHAPTER_05_SCHEMES_H
#define CHAPTER_05_SCHEMES_H

#include "02-pre-ln-vs-post-ln/residual.h"
#include "05-residual-blocks/join.h"
#include "program.h"

//> scheme
typedef struct {
    const char *name, *formula;
    ResidualKind kind;
    bool normalized;
    Placement placement;
    bool scaled; /* output projections by residual_init_std */
} Scheme;
//< scheme

enum { NONE, PLAIN, PLAIN_SCALED, POST, PRE, PRE_SCALED, REZERO, SCHEMES };

extern const Scheme schemes[SCHEMES];

enum { D_MODEL = 64, D_HIDDEN = 256, ROWS = 32, MAX_DEPTH = 512 };

/* size[l] = |x_l|^2 / d for l = 0 (the input, N(0, 1)) to depth, the mean over ROWS inputs. */
void stream_size(double *size, const Scheme *s, uint64_t seed, size_t depth);

/* The same over 10 seeds, the geometric mean: the arithmetic mean of a product of random factors is decided
 * by few seeds. */
void mean_stream_size(double *size, const Scheme *s, const Settings *settings, size_t depth);

#endif
