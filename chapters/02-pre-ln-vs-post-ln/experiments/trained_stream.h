/* The residual stream of a network during training. */
#ifndef CHAPTER_02_TRAINED_STREAM_H
#define CHAPTER_02_TRAINED_STREAM_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* The stream behind each layer, [depth + 1], of 64 inputs from N(0, 1), which are
 * always the same. The array is the caller's, to free. */
Tensor **stream_of_inputs(Tape *t, const Stack *s);

/* How much the rows of a tensor [n, width] differ: their variance, summed over the
 * columns, as a share of the sum of squares. 0: all rows are the same. */
double relative_variance(const Tensor *rows);

/* The largest |x_l|^2 / d behind any layer l = 1 .. depth, over 64 inputs from N(0, 1),
 * which are always the same. */
double largest_stream(const Stack *s);

/* How much the stream behind the last layer still depends on the input: the variance
 * between the same 64 inputs, summed over the channels, as a share of the sum of
 * squares. 0: every input gives the same. */
double output_spread(const Stack *s);

/* The product over the layers of |x + F| / |x|: in post-LN the factor by which the
 * norms together divide what came in. */
double norms_divide(const Stack *s);

#endif
