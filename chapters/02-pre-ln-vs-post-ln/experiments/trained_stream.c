/* The residual stream of a network during training: see trained_stream.h. */
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "math/fit.h"

Tensor **stream_of_inputs(Tape *t, const Stack *s) {
    enum { INPUTS = 64 };
    size_t depth = s->config.depth, width = s->config.d_model;
    Random inputs = random_create(1);
    Tensor *x = tape_tensor(t, 2, (size_t[]){INPUTS, width}, false);
    Tensor **stream = checked_alloc(depth + 1, sizeof *stream);
    random_fill_normal(&inputs, x->data, INPUTS * width, 1);
    stack_with_stream(t, s, x, stream);
    return stream;
}

double largest_stream(const Stack *s) {
    Tape t = tape_for_inference();
    Tensor **stream = stream_of_inputs(&t, s);
    double most = 0;
    for (size_t l = 1; l <= s->config.depth; l++)
        most = larger(most, tensor_mean_square(stream[l]));
    free(stream);
    tape_free(&t);
    return most;
}

double relative_variance(const Tensor *rows) {
    size_t n = rows->shape[0], width = rows->shape[1];
    double between = 0, all = 0;
    for (size_t c = 0; c < width; c++) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < n; i++) {
            double value = (double)rows->data[i * width + c];
            mean += value / (double)n;
            square += value * value / (double)n;
        }
        between += square - mean * mean;
        all += square;
    }
    return between / all;
}

double output_spread(const Stack *s) {
    Tape t = tape_for_inference();
    Tensor **stream = stream_of_inputs(&t, s);
    double spread = relative_variance(stream[s->config.depth]);
    free(stream);
    tape_free(&t);
    return spread;
}

double norms_divide(const Stack *s) {
    Tape t = tape_for_inference();
    Tensor **stream = stream_of_inputs(&t, s);
    double divided = 1;
    for (size_t l = 0; l < s->config.depth; l++) {
        const Residual *r = &s->residuals[l];
        Tensor *x = stream[l],
               *read = r->placement == PRE_LN ? layer_forward(&t, r->norm, x) : x,
               *sum = tape_add(&t, x, layer_forward(&t, r->sublayer, read));
        divided *= sqrt(tensor_mean_square(sum) / tensor_mean_square(x));
    }
    free(stream);
    tape_free(&t);
    return divided;
}
