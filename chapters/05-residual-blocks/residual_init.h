/* Exercise 05/residual_init: GPT-2's scaling of the weights that write to the residual
 * stream. */
#ifndef CHAPTER_05_RESIDUAL_INIT_H
#define CHAPTER_05_RESIDUAL_INIT_H

#include <stddef.h>

/* The standard deviation of the output projections in a model of n_layer blocks: std /
 * sqrt(number of residual additions), two a block: attention and FFN (Radford et al.
 * 2019, section 2.3: 1/sqrt(N)). std itself for n_layer = 0. */
float residual_init_std(float std, size_t n_layer);

#endif
