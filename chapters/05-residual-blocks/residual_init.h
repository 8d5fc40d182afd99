/* Exercise 05/residual_init: GPT-2's scaling of the weights that write to the residual
 * stream (Radford et al. 2019, section 2.3). Several threads may call it at once. */
#ifndef CHAPTER_05_RESIDUAL_INIT_H
#define CHAPTER_05_RESIDUAL_INIT_H

#include <stddef.h>

//> residual_init_std
/* The standard deviation of the matrices that write to the residual stream, in a model
 * of n_layer blocks whose other matrices have the standard deviation `std`: all
 * branches together are to add to the stream what one branch would add with `std`. A
 * block adds its attention and its FFN. std itself for n_layer = 0. */
float residual_init_std(float std, size_t n_layer);
//< residual_init_std

#endif
