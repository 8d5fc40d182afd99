/* Packed weights: laid out in panels, to be read once a token.
 *
 * Writing with a cache multiplies one vector with every weight of a model, and reading
 * the weights is all the time that this should take. As files have them, it takes more:
 * the sum of an output runs down a column or along a row, a vector register of outputs
 * takes many of them side by side, so memory is read in short pieces, or squares are
 * transposed on the way. A panel holds the weights of a few outputs in the order of the
 * sums, so that a thread reads it from end to end. It costs a copy of the weights, made
 * in about the time that a few tokens take; no sum changes its order, and no bit of a
 * result.
 *
 * A panel is what matmul.c packs a block of B into, kept: products with many vectors
 * save the packing. */
#ifndef WEIGHTS_WEIGHT_PACKED_H
#define WEIGHTS_WEIGHT_PACKED_H

#include "tensor/arena.h"
#include "weights/weight.h"

/* The weight packed, in the arena's memory or in new memory (NULL): its type's
 * multiply_transposed is the quick product. For F32, F16 and BF16, transposed or not,
 * for Q8_0, Q4_0 and Q4_1 whose blocks lie along w's rows. For all others the type of
 * the result is NULL, and nothing was allocated. Pages of a file that w lies in leave
 * memory as they are copied: both are never there as a whole. */
Weight weight_pack(const Weight *w, Arena *arena);

/* Gives back memory that was not an arena's. */
void weight_packed_free(Weight *w);

#endif
