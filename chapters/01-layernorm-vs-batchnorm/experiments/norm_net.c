/* A small network with a choice of norms: see norm_net.h. */
#include "01-layernorm-vs-batchnorm/experiments/norm_net.h"

#include <math.h>
#include <string.h>

#include "00-tensors/relu.h"
#include "00-tensors/softmax_layer.h"
#include "00-tensors/spirals.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "base/error.h"

const char *const net_norm_names[NET_NORMS] = {"none", "batch", "layer"};

void net_create(Net *net, NetConfig config, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    *net = (Net){.config = config, .params = {.mode = PARAMS_TRAIN}};
    if (config.depth > NET_MAX_DEPTH)
        die("%zu hidden layers, at most %d", config.depth, NET_MAX_DEPTH);
    for (size_t i = 0, n_in = 2; i < config.depth; i++, n_in = NET_WIDTH) {
        float std = config.scale > 0 ? config.scale : sqrtf(2.0f / (float)n_in);
        params_push(&net->params, "fc.%zu", i);
        net->fc[i] = linear_create(&net->params, &init, n_in, NET_WIDTH, true, std, "");
        params_pop(&net->params);
        params_push(&net->params, "norm.%zu", i);
        if (config.norm == NET_BATCHNORM) {
            net->bn[i] = batchnorm_create(&net->params, NET_WIDTH, "");
            net->bn[i].eps = config.eps;
            net->norm[i] = batchnorm_layer(&net->bn[i]);
        } else if (config.norm == NET_LAYERNORM) {
            net->ln[i] = layernorm_create(&net->params, 1, (size_t[]){NET_WIDTH},
                                          config.eps, "");
            net->norm[i] = layernorm_layer(&net->ln[i]);
        }
        params_pop(&net->params);
    }
    net->head = linear_create(&net->params, &init, NET_WIDTH, NET_CLASSES, true,
                              1.0f / sqrtf(NET_WIDTH), "head");
}

void net_free(Net *net) {
    for (size_t i = 0; i < net->config.depth; i++) batchnorm_free(&net->bn[i]);
    params_free(&net->params);
}

static Tensor *net_forward(Tape *t, const Net *net, Tensor *x) {
    for (size_t i = 0; i < net->config.depth; i++) {
        x = linear(t, &net->fc[i], x);
        x = layer_forward(t, net->norm[i], x);
        x = relu(t, x);
    }
    return linear(t, &net->head, x);
}

SpiralPoints spiral_points_draw(uint64_t seed) {
    SpiralPoints points;
    Random random = random_stream(seed, STREAM_DATA);
    spirals_fill(points.x, points.classes, SPIRAL_POINTS, &random);
    return points;
}

double net_gradient(Net *net, Tape *t, const SpiralPoints *points, size_t batch,
                    Random *order) {
    float x[2 * NET_LARGEST_BATCH];
    int classes[NET_LARGEST_BATCH];
    for (size_t b = 0; b < batch; b++) {
        size_t i = random_below(order, SPIRAL_POINTS);
        memcpy(x + 2 * b, points->x + 2 * i, 2 * sizeof *x);
        classes[b] = points->classes[i];
    }
    t->training = true;
    Tensor *logits = net_forward(t, net, tape_input(t, 2, (size_t[]){batch, 2}, x));
    Tensor *loss = cross_entropy(t, logits, classes);
    params_zero_grad(&net->params);
    tape_backward(t, loss);
    double value = (double)loss->data[0];
    tape_reset(t);
    return value;
}

static Tensor *evaluate(const Net *net, Tape *t, const SpiralPoints *points) {
    t->training = false;
    return net_forward(t, net,
                       tape_input(t, 2, (size_t[]){SPIRAL_POINTS, 2}, points->x));
}

double net_accuracy(const Net *net, Tape *t, const SpiralPoints *points) {
    double right = accuracy(evaluate(net, t, points), points->classes);
    tape_reset(t);
    return right;
}

double net_loss(const Net *net, Tape *t, const SpiralPoints *points) {
    Tensor *loss = cross_entropy(t, evaluate(net, t, points), points->classes);
    double value = (double)loss->data[0];
    tape_reset(t);
    return value;
}
