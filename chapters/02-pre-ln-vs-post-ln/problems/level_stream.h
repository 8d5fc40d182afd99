/* Open problem 02/level_stream (**): 24 pre-LN layers whose stream stays small, at a
 * lower loss */
#ifndef CHAPTER_02_LEVEL_STREAM_H
#define CHAPTER_02_LEVEL_STREAM_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* Changes the weights, biases and gains of a new pre-LN stack before its first step,
 * and nothing else. After 1000 steps at a rate of 0.002 the largest mean square |x_l|^2
 * / d of the stream is measured. */
void level_stream(Stack *s);

#endif
