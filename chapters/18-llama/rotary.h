/* The frequencies of rotary positions: of a base, and changed for texts longer than
 * those of the training. */
#ifndef CHAPTER_18_ROTARY_H
#define CHAPTER_18_ROTARY_H

#include "08-transformer-block/block.h"

/* Rotary positions for a block of d_model and n_head, which this sets. */
void rotary_set(BlockConfig *block, float base);

/* Llama 3's scaling, for texts longer than those of the training (original_context):
 * what turns slowly, with a wavelength above original_context / low, turns `factor`
 * times slower; below original_context / high nothing changes; between them the change
 * goes over linearly in original_context / wavelength. */
void rotary_scale(Rotary *rotary, float factor, float low, float high,
                  size_t original_context);

/* Position interpolation (Chen et al. 2023): every pair turns `factor` times slower.
 * "linear" in files; here `high` is 0. */
void rotary_interpolate(Rotary *rotary, float factor);

/* Every frequency over its divisor, [n_pairs], as GGUF files have them. Where they are
 * but for rounding those of one of the two scalings above (of Llama 3's with low 1 and
 * high 4, as published), that scaling is made; else the factor stays 0. */
void rotary_divide(Rotary *rotary, const float *divisors);

#endif
