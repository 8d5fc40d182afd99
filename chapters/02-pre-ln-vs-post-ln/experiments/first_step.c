/* What one step changes: see first_step.h. */
#include "02-pre-ln-vs-post-ln/experiments/first_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"
#include "base/memory.h"

static float *copy_of(const Tensor *x) {
    float *copy = checked_alloc(tensor_size(x), sizeof *copy);
    memcpy(copy, x->data, tensor_size(x) * sizeof *copy);
    return copy;
}

BeforeStep before_step(const Stack *s, const ActivatedMlp *mlps) {
    Tape t = tape_for_inference();
    size_t depth = s->config.depth;
    Tensor **stream = stream_of_inputs(&t, s);
    BeforeStep before = {.mlps = mlps, .inputs = stream[0]->shape[0]};
    before.hidden = checked_alloc(depth, sizeof *before.hidden);
    before.down = checked_alloc(depth, sizeof *before.down);
    double square = 0;
    for (size_t l = 0; l < depth; l++) {
        Tensor *hidden = hidden_units(&t, &mlps[l], stream[l]);
        before.hidden[l] = copy_of(hidden);
        before.down[l] = copy_of(mlps[l].mlp->down.weight);
        square += tensor_mean_square(linear(&t, &mlps[l].mlp->down, hidden));
    }
    before.branch = sqrt(square / (double)depth);
    free(stream);
    tape_free(&t);
    return before;
}

void before_step_free(BeforeStep *before, size_t depth) {
    for (size_t l = 0; l < depth; l++) {
        free(before->hidden[l]);
        free(before->down[l]);
    }
    free(before->hidden);
    free(before->down);
}

/* The mean cosine of two different rows of x [n, width], from the square of the sum of
 * all rows of length 1. A row of zeros counts as orthogonal to all. */
static double mean_cosine(const float *x, size_t n, size_t width) {
    double *sum = checked_alloc(width, sizeof *sum), square = 0, own = 0;
    for (size_t i = 0; i < n; i++) {
        const float *row = x + i * width;
        double length = 0;
        for (size_t c = 0; c < width; c++) length += (double)row[c] * (double)row[c];
        if (length == 0) continue;
        own++;
        for (size_t c = 0; c < width; c++) sum[c] += (double)row[c] / sqrt(length);
    }
    for (size_t c = 0; c < width; c++) square += sum[c] * sum[c];
    free(sum);
    return (square - own) / ((double)n * (double)(n - 1));
}

/* The share of each column of change [rows, columns] that has the sign of the most. */
static double share_of_majority(const float *change, size_t rows, size_t columns) {
    double share = 0;
    for (size_t c = 0; c < columns; c++) {
        size_t up = 0, down = 0;
        for (size_t r = 0; r < rows; r++) {
            up += change[r * columns + c] > 0;
            down += change[r * columns + c] < 0;
        }
        share += (double)(up > down ? up : down) / (double)(rows * columns);
    }
    return share;
}

FirstStep first_step(const Stack *s, const BeforeStep *before) {
    Tape t = tape_for_inference();
    size_t depth = s->config.depth, n = before->inputs;
    FirstStep step = {0};
    double square = 0;
    for (size_t l = 0; l < depth; l++) {
        const Tensor *down = before->mlps[l].mlp->down.weight;
        size_t d_hidden = down->shape[0], d_model = down->shape[1];
        float *change = copy_of(down);
        for (size_t i = 0; i < d_hidden * d_model; i++) change[i] -= before->down[l][i];
        Tensor *moved = tape_tensor(&t, 2, (size_t[]){n, d_model}, false);
        Weight of_change = weight_of_floats(change, d_hidden, d_model);
        linear_forward(moved->data, before->hidden[l], &of_change, NULL, n);
        step.cosine += mean_cosine(before->hidden[l], n, d_hidden) / (double)depth;
        step.same_way += share_of_majority(change, d_hidden, d_model) / (double)depth;
        step.common += (1 - relative_variance(moved)) / (double)depth;
        square += tensor_mean_square(moved);
        free(change);
    }
    step.size = sqrt(square / (double)depth) / before->branch;
    tape_free(&t);
    return step;
}
