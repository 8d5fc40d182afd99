/* Exercise 15/pack: copies a part of a matrix to where a product reads it in one
 * sweep. */
#ifndef CHAPTER_15_PACK_H
#define CHAPTER_15_PACK_H

#include <stddef.h>

#include "kernels/view.h"

/* Copies from [depth, columns] into panels of `width` columns. A panel holds its row 0,
 * then its row 1, and so on:
 *
 *     packed [panels, depth, width],  panels = columns / width, rounded up
 *     packed[p, l, x] = from(l, p * width + x), and 0 where from has no such column
 *
 * from may be a transposed matrix: use both of its steps. Nothing of it is read outside
 * depth x columns. */
//> pack
void pack(float *packed, View from, size_t depth, size_t columns, size_t width);
//< pack

#endif
