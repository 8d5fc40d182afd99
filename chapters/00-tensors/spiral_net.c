/* The chapter's network: see spiral_net.h. */
#include "00-tensors/spiral_net.h"

#include <math.h>
#include <stdlib.h>

#include "00-tensors/relu.h"
#include "00-tensors/softmax_layer.h"
#include "00-tensors/spirals.h"
#include "math/fmath.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"

enum { STREAM_INIT = 1, STREAM_DATA = 2 };

/* The wrong one: it forgets where relu was 0. */
static void backward_without_mask(const TapeNode *node) {
    Tensor *x = node->inputs[0], *out = node->out;
    for (size_t i = 0; i < tensor_size(x); i++) x->grad[i] += out->grad[i];
}

static Tensor *relu_with_wrong_backward(Tape *t, Tensor *x) {
    Tensor *out = tape_output(t, "wrong relu", x->ndim, x->shape, TAPE_INPUTS(x));
    relu_forward(out->data, x->data, tensor_size(x));
    tape_record(t, out, backward_without_mask);
    return out;
}

/* x [n, 2] -> logits [n, 2] */
//> mlp_forward
static Tensor *spiral_net(Tape *t, const SpiralNet *m, Tensor *x) {
    Tensor *h = linear(t, &m->fc1, x);
    h = m->wrong_backward ? relu_with_wrong_backward(t, h) : relu(t, h);
    return linear(t, &m->fc2, h);
}
//< mlp_forward

SpiralData spiral_data_create(size_t n, uint64_t seed) {
    Random random = random_stream(seed, STREAM_DATA);
    SpiralData data = {.x = checked_alloc(2 * n, sizeof(float)),
                       .classes = checked_alloc(n, sizeof(int)),
                       .n = n};
    spirals_fill(data.x, data.classes, n, &random);
    return data;
}

void spiral_data_free(SpiralData *data) {
    free(data->x);
    free(data->classes);
}

SpiralRun spiral_run_create(size_t hidden, double adamw_rate, uint64_t seed) {
    SpiralRun run = {.params = {.mode = PARAMS_TRAIN}, .tape = tape_create(seed)};
    Random init = random_stream(seed, STREAM_INIT);
    run.net.fc1 = linear_create(&run.params, &init, 2, hidden, true, 1.0f, "fc1");
    run.net.fc2 = linear_create(&run.params, &init, hidden, SPIRAL_CLASSES, true,
                                1.0f / sqrtf((float)hidden), "fc2");
    run.adamw = adamw_create(&run.params, (float)adamw_rate, 0.01f);
    return run;
}

void spiral_run_free(SpiralRun *run) {
    adamw_free(&run->adamw);
    tape_free(&run->tape);
    params_free(&run->params);
}

Tensor *spiral_loss(SpiralRun *run, const SpiralData *data, size_t n, double *right) {
    Tape *t = &run->tape;
    Tensor *logits =
        spiral_net(t, &run->net, tape_input(t, 2, (size_t[]){n, 2}, data->x));
    if (right) *right = accuracy(logits, data->classes);
    return cross_entropy(t, logits, data->classes);
}

float spiral_gradients(SpiralRun *run, const SpiralData *data, size_t n,
                       double *right) {
    Tensor *loss = spiral_loss(run, data, n, right);
    float value = loss->data[0];
    params_zero_grad(&run->params);
    tape_backward(&run->tape, loss);
    tape_reset(&run->tape);
    return value;
}

double plain_cross_entropy(const double *logits, size_t n_classes, size_t target) {
    double max = logits[0], sum = 0;
    for (size_t i = 1; i < n_classes; i++) max = fmax(max, logits[i]);
    for (size_t i = 0; i < n_classes; i++) sum += exp_double(logits[i] - max);
    return max + log_double(sum) - logits[target];
}

typedef struct {
    const SpiralData *data;
    size_t n, hidden;
} PlainContext;

/* The whole network and its loss: fc1.weight, fc1.bias, fc2.weight and fc2.bias stand
 * in one list. */
static double plain_loss(const double *parameters, size_t count, void *context) {
    const PlainContext *c = context;
    const double *w1 = parameters, *b1 = w1 + 2 * c->hidden, *w2 = b1 + c->hidden;
    const double *b2 = parameters + count - SPIRAL_CLASSES;
    double sum = 0;
    for (size_t p = 0; p < c->n; p++) {
        double logits[SPIRAL_CLASSES] = {b2[0], b2[1]}, x = (double)c->data->x[2 * p],
               y = (double)c->data->x[2 * p + 1];
        for (size_t i = 0; i < c->hidden; i++) {
            double h = b1[i] + x * w1[i] + y * w1[c->hidden + i];
            for (size_t j = 0; h > 0 && j < SPIRAL_CLASSES; j++)
                logits[j] += h * w2[i * SPIRAL_CLASSES + j];
        }
        sum += plain_cross_entropy(logits, SPIRAL_CLASSES, (size_t)c->data->classes[p]);
    }
    return sum / (double)c->n;
}

void spiral_numeric_gradient(double *gradient, const SpiralRun *run,
                             const SpiralData *data, size_t n) {
    size_t count = params_count(&run->params), at = 0;
    double *all = checked_alloc(count, sizeof *all);
    for (size_t i = 0; i < run->params.n; i++) {
        const Tensor *x = run->params.items[i].tensor;
        for (size_t j = 0; j < tensor_size(x); j++) all[at++] = (double)x->data[j];
    }
    numeric_gradient(gradient, plain_loss, all, count, 1e-6,
                     &(PlainContext){data, n, run->net.fc1.weight->shape[1]});
    free(all);
}
