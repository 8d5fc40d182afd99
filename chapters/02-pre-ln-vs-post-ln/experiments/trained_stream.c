/* The residual stream of a network during training: see trained_stream.h. */
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"

#include <stdlib.h>

#include "base/memory.h"
#include "math/fit.h"

double largest_stream(const Stack *s) {
    enum { INPUTS = 64 };
    size_t depth = s->config.depth, width = s->config.d_model;
    Random inputs = random_create(1);
    Tape t = tape_for_inference();
    Tensor *x = tape_tensor(&t, 2, (size_t[]){INPUTS, width}, false);
    Tensor **stream = checked_alloc(depth + 1, sizeof *stream);
    random_fill_normal(&inputs, x->data, INPUTS * width, 1);
    stack_with_stream(&t, s, x, stream);
    double most = 0;
    for (size_t l = 1; l <= depth; l++)
        most = larger(most, tensor_mean_square(stream[l]));
    free(stream);
    tape_free(&t);
    return most;
}
