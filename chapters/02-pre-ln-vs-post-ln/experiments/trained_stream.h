/* The residual stream of a network during training. */
#ifndef CHAPTER_02_TRAINED_STREAM_H
#define CHAPTER_02_TRAINED_STREAM_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* The largest |x_l|^2 / d behind any layer l = 1 .. depth, over 64 inputs from N(0, 1),
 * which are always the same. */
double largest_stream(const Stack *s);

/* How much the stream behind the last layer still depends on the input: the variance
 * between the same 64 inputs, summed over the channels, as a share of the sum of
 * squares. 0: every input gives the same. */
double output_spread(const Stack *s);

/* How large a branch is beside the stream, and the spread of the last branch's
 * output. */
typedef struct {
    double ratio; /* |F| / |x|, the geometric mean over the layers */
    /* The product over the layers of |x + F| / |x|: in post-LN the factor by which the
     * norms together divide the first layer's input. */
    double divided;
    double last_spread; /* how much the last branch's output depends on the input */
} BranchSize;
BranchSize branch_size(const Stack *s);

#endif
