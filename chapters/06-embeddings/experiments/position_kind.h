/* The kinds of positions in this chapter's models. */
#ifndef CHAPTER_06_POSITION_KIND_H
#define CHAPTER_06_POSITION_KIND_H

#include "weights/params.h"
#include "math/random.h"

typedef enum {
    POSITIONS_NONE,
    POSITIONS_LEARNED,
    POSITIONS_SINUSOIDAL,
    POSITIONS_DISTANCE,
    POSITION_KINDS
} PositionKind;

extern const char *const position_kind_names[POSITION_KINDS];

/* The table wpe.weight [n, dim]: N(0, std^2) in `learned`, sines and cosines in `fixed`
 * (of a position, or of the distance of two), or NULL. */
Tensor *position_table(PositionKind kind, Params *learned, Params *fixed, Random *init,
                       size_t n, size_t dim, float std);

#endif
