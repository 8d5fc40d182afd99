/* Quantizing into ggml's blocks of 256: parts with scales that are themselves whole
 * numbers. */
#ifndef CHAPTER_14_K_BLOCKS_H
#define CHAPTER_14_K_BLOCKS_H

#include "weights/weight_blocks.h"

/* A search over scales: our own, so that the bytes are not ggml's; the error is about
 * the same (tests). Larger weights count more: each error squared times the weight's
 * size and the part's spread, as in ggml. */
void q4_k_encode(BlockQ4_K *block, const float x[SUPER_BLOCK]);
void q6_k_encode(BlockQ6_K *block, const float x[SUPER_BLOCK]);

#endif
