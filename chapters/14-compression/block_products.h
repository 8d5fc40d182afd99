/* The lesson's own products with blocks, in the place of the quick ones of
 * common/weights/weight_packed.c: what the exercises are tried out with. */
#ifndef CHAPTER_14_BLOCK_PRODUCTS_H
#define CHAPTER_14_BLOCK_PRODUCTS_H

#include "10-gpt2/gpt2.h"

/* From now on the model reads its Q8_0 by q8_0_decode and multiplies its Q4_0 by
 * q4_0_matvec. With `integer` it multiplies both by q8_dot: each vector x is rounded to
 * blocks of Q8_0 first, so results differ by what that costs. Other matrices stay as
 * they are. Before gpt2_repack, which finds nothing here that it could pack. */
void use_block_products(Gpt2 *model, bool integer);

#endif
