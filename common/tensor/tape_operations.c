/* Operations on the tape so small that no chapter owns them: see tape.h. */
#include "tensor/tape.h"

#include <string.h>

/* into += factor * from */
static void accumulate(float *into, const float *from, float factor, size_t n) {
    if (!into) return;
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) into[i] += factor * from[i];
}

static void add_backward(const TapeNode *node) {
    size_t n = tensor_size(node->out);
    accumulate(node->inputs[0]->grad, node->out->grad, 1.0f, n);
    accumulate(node->inputs[1]->grad, node->out->grad, 1.0f, n);
}

Tensor *tape_add(Tape *t, Tensor *a, Tensor *b) {
    tensor_expect_same_shape("tape_add", a, b);
    Tensor *out = tape_output(t, "add", a->ndim, a->shape, TAPE_INPUTS(a, b));
    size_t n = tensor_size(a);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = a->data[i] + b->data[i];
    tape_record(t, out, add_backward);
    return out;
}

static void scale_backward(const TapeNode *node) {
    accumulate(node->inputs[0]->grad, node->out->grad, *(const float *)node->saved,
               tensor_size(node->out));
}

Tensor *tape_scale(Tape *t, Tensor *x, float factor) {
    Tensor *out = tape_output(t, "scale", x->ndim, x->shape, TAPE_INPUTS(x));
    size_t n = tensor_size(x);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = factor * x->data[i];
    tape_record_saved(t, out, scale_backward, &factor, sizeof factor);
    return out;
}

static void accumulate_product(float *into, const float *x, const float *y, size_t n) {
    if (!into) return;
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) into[i] += x[i] * y[i];
}

static void mul_backward(const TapeNode *node) {
    Tensor *a = node->inputs[0], *b = node->inputs[1];
    size_t n = tensor_size(node->out);
    accumulate_product(a->grad, node->out->grad, b->data, n);
    accumulate_product(b->grad, node->out->grad, a->data, n);
}

Tensor *tape_mul(Tape *t, Tensor *a, Tensor *b) {
    tensor_expect_same_shape("tape_mul", a, b);
    Tensor *out = tape_output(t, "multiply", a->ndim, a->shape, TAPE_INPUTS(a, b));
    size_t n = tensor_size(a);
#pragma omp parallel for if (n > 1 << 14)
    for (size_t i = 0; i < n; i++) out->data[i] = a->data[i] * b->data[i];
    tape_record(t, out, mul_backward);
    return out;
}

static void weighted_sum_backward(const TapeNode *node) {
    const float *weights = *(float *const *)node->saved;
    accumulate(node->inputs[0]->grad, weights, node->out->grad[0],
               tensor_size(node->inputs[0]));
}

Tensor *tape_weighted_sum(Tape *t, Tensor *x, const float *weights) {
    size_t n = tensor_size(x);
    float *copy = memcpy(tape_alloc(t, n, sizeof *copy), weights, n * sizeof *copy);
    Tensor *out = tape_output(t, "weighted sum", 1, (size_t[]){1}, TAPE_INPUTS(x));
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)copy[i] * (double)x->data[i];
    out->data[0] = (float)sum;
    tape_record_saved(t, out, weighted_sum_backward, &copy, sizeof copy);
    return out;
}
