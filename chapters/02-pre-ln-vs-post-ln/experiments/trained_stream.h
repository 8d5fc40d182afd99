/* The residual stream of a network during training. */
#ifndef CHAPTER_02_TRAINED_STREAM_H
#define CHAPTER_02_TRAINED_STREAM_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* The largest |x_l|^2 / d behind any layer l = 1 .. depth, over 64 inputs from N(0, 1),
 * which are always the same. */
double largest_stream(const Stack *s);

#endif
