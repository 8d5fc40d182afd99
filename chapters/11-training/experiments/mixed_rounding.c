/* Rounding on the tape: see mixed_rounding.h. */
#include "11-training/experiments/mixed_rounding.h"

#include <string.h>

#include "kernels/softmax.h"
#include "math/fmath.h"

/* Each partial sum is rounded, as where a kernel adds in its own format. */
static float sum_in(Precision precision, const float *x, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++) sum = round_float(precision, sum + x[i]);
    return sum;
}

/* --- the norm --- */

static void norm_row(const Rounding *r, const TapeNode *node, size_t row,
                     float *squares) {
    size_t dim = tensor_cols(node->out);
    const float *x = node->inputs[0]->data + row * dim, *gain = node->inputs[1]->data,
                *bias = node->inputs[2]->data;
    float *out = node->out->data + row * dim;
    float mean = round_float(r->precision, sum_in(r->precision, x, dim) / (float)dim);
    for (size_t i = 0; i < dim; i++) {
        float difference = x[i] - mean;
        squares[i] = round_float(r->precision, difference * difference);
    }
    float variance =
        round_float(r->precision, sum_in(r->precision, squares, dim) / (float)dim);
    float scale = 1 / sqrtf(variance + r->norm_eps);
    for (size_t i = 0; i < dim; i++) out[i] = (x[i] - mean) * scale * gain[i] + bias[i];
}

static void norm_in_16(const Rounding *r, const TapeNode *node) {
    enum { MOST = 1024 };
    float squares[MOST];
    for (size_t row = 0; row < tensor_rows(node->out); row++)
        norm_row(r, node, row, squares);
}

/* --- attention --- */

/* The factor by which a rounded denominator changes what position t of a head puts
 * out. q, k are rows of qkv, `stride` floats apart. */
static float denominator_factor(Precision precision, const float *q, const float *k,
                                size_t dim, size_t n, size_t stride) {
    enum { MOST = 1024 };
    float e[MOST], most = -INFINITY;
    for (size_t s = 0; s < n; s++) {
        float dot = 0;
        for (size_t i = 0; i < dim; i++) dot += q[i] * k[s * stride + i];
        e[s] = dot / sqrtf((float)dim);
        most = e[s] > most ? e[s] : most;
    }
    double exact = 0;
    for (size_t s = 0; s < n; s++) {
        e[s] = round_float(precision, exp_float(e[s] - most));
        exact += (double)e[s];
    }
    return (float)exact / sum_in(precision, e, n);
}

static void softmax_in_16(const Rounding *r, const TapeNode *node) {
    const Tensor *out = node->out;
    size_t batch = out->shape[0], length = out->shape[1], d_model = out->shape[2],
           dim = d_model / r->n_head, stride = 3 * d_model;
    for (size_t i = 0; i < batch * r->n_head * length; i++) {
        size_t t = i % length, h = i / length % r->n_head, b = i / length / r->n_head;
        const float *first = node->inputs[0]->data + b * length * stride + h * dim;
        float factor = denominator_factor(r->precision, first + t * stride,
                                          first + d_model, dim, t + 1, stride);
        float *row = out->data + (b * length + t) * d_model + h * dim;
        for (size_t j = 0; j < dim; j++) row[j] *= factor;
    }
}

/* --- the loss --- */

/* The gradient of the logits once more, from a denominator in 16 bits. The returned
 * loss, which nothing is computed from, stays. */
static void loss_in_16(const Rounding *r, const TapeNode *node) {
    enum { MOST = 1024 };
    float e[MOST], dloss = node->out->grad[0];
    const Tensor *logits = node->inputs[0];
    size_t rows = tensor_rows(logits), n = tensor_cols(logits);
    for (size_t row = 0; row < rows; row++) {
        const float *x = logits->data + row * n;
        float *grad = logits->grad + row * n, most = -INFINITY;
        for (size_t i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
        for (size_t i = 0; i < n; i++)
            e[i] = round_float(r->precision, exp_float(x[i] - most));
        float sum = sum_in(r->precision, e, n);
        for (size_t i = 0; i < n; i++) {
            float hit = (int)i == r->targets[row] ? 1.0f : 0.0f;
            grad[i] = dloss * (e[i] / sum - hit) / (float)rows;
        }
    }
}

/* --- the watch --- */

static bool is(const TapeNode *node, const char *operation) {
    return strcmp(node->operation, operation) == 0;
}

static void forward(Rounding *r, const TapeNode *node) {
    size_t n = tensor_size(node->out);
    if (n > 1) r->activations += n;
    if (r->norm && is(node, "layernorm")) norm_in_16(r, node);
    if (r->softmax && is(node, "attention")) softmax_in_16(r, node);
    round_node(r->precision, node, TAPE_FORWARD);
}

/* How many numbers in the gradients of the inputs are not 0. */
static size_t count_gradients(const TapeNode *node) {
    size_t count = 0;
    for (size_t i = 0; i < node->n_inputs; i++) {
        const Tensor *x = node->inputs[i];
        if (!x || !x->grad || tensor_size(x) == 1) continue;
        size_t n = tensor_size(x);
        for (size_t j = 0; j < n; j++) count += x->grad[j] != 0;
    }
    return count;
}

static void backward(Rounding *r, const TapeNode *node) {
    if (r->loss && is(node, "cross_entropy")) loss_in_16(r, node);
    size_t before = count_gradients(node);
    round_node(r->precision, node, TAPE_BACKWARD);
    r->gradients += before;
    r->underflowed += before - count_gradients(node);
}

void rounding_watch(void *rounding, const TapeNode *node, TapePass pass) {
    if (pass == TAPE_FORWARD) {
        forward(rounding, node);
    } else {
        backward(rounding, node);
    }
}
