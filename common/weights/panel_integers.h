/* Products of blocks in whole numbers: a second product beside that of floats, quicker
 * and not the same.
 *
 * The vectors are rounded as well: each 32 of their numbers become a block of Q8_0. Of
 * a row w and a vector x, both in blocks, the product is the sum over the blocks of
 *
 *     whole * (scale of w * scale of x),    whole = sum of w_i * x_i,
 *
 * from block 0 to the last, beginning with 0, each added with one rounding; behind it,
 * for Q4_1, (sum of x_i) * (min of w * scale of x), likewise. A bias is added last.
 * Whole numbers are exact, so their sums may be taken in any order, and the bits are
 * those of exercise 14/q8_dot, on every machine, for any number of vectors and threads,
 * laid out in panels or not. */
#ifndef WEIGHTS_PANEL_INTEGERS_H
#define WEIGHTS_PANEL_INTEGERS_H

#include <stdbool.h>

#include "weights/panel_layout.h"
#include "weights/weight.h"

/* This weight is Q8_0, Q4_0 or Q4_1, multiplied as floats. */
bool weight_has_integers(const Weight *w);

/* From now on this weight of Q8_0, Q4_0 or Q4_1 is multiplied in whole numbers, also
 * when weight_pack has laid it out later; the numbers that are read from it stay. Any
 * other stays as it is: false. Products across its blocks are still of floats. */
bool weight_use_integers(Weight *w);

/* The panels of a type that weight_use_integers gave, or NULL. */
const PanelType *integer_panels(const WeightType *type);

#endif
