/* Open problem 05/spare_layers (**): eight trained layers of which any three may be
 * taken out */
#ifndef CHAPTER_05_SPARE_LAYERS_H
#define CHAPTER_05_SPARE_LAYERS_H

#include "02-pre-ln-vs-post-ln/stack.h"
#include "weights/params.h"

/* Changes a new pre-LN stack of eight layers before its first step: its weights, its
 * joins (s->residuals[l].join), and up to 1 % more parameters, which it registers in
 * `params`. Joins see t->training, and dropout_random of chapter 05 gives them numbers.
 * Placement, norms, sublayers and the training stay as they are, and every layer must
 * do something. */
void spare_layers(Params *params, Stack *s);

#endif
