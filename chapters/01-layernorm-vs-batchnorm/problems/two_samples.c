/* The judge of open problem 01/two_samples. */
#include "01-layernorm-vs-batchnorm/problems/two_samples.h"

#include <math.h>
#include <stdio.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/relu.h"
#include "00-tensors/spirals.h"
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "01-layernorm-vs-batchnorm/experiments/norm_net.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/problem.h"

enum { BATCH = 2, STEPS = 16384 };

static Tensor *own_norm(Tape *t, const void *l, Tensor *x) {
    return two_samples(t, l, x);
}

/* The output of norm i for x [SPIRAL_POINTS, NET_WIDTH], with gain 1 and bias 0. */
static Tensor *normalized(Tape *t, const Net *net, size_t i, Tensor *x) {
    BatchNorm l = net->bn[i];
    Tensor gain = *l.gain, bias = *l.bias;
    float ones[NET_WIDTH], zeros[NET_WIDTH] = {0};
    for (size_t c = 0; c < NET_WIDTH; c++) ones[c] = 1;
    gain.data = ones;
    bias.data = zeros;
    l.gain = &gain;
    l.bias = &bias;
    return two_samples(t, &l, x);
}

/* Each point and each channel alone, times one number plus another: 1 more in channel 0
 * of every other point changes these numbers alone, and all of them by the same. */
static void expect_by_channel(Tape *t, const Net *net, size_t i, const Tensor *x,
                              const Tensor *out) {
    Tensor *other = tape_input(t, 2, x->shape, x->data);
    for (size_t r = 0; r < SPIRAL_POINTS; r += 2) other->data[r * NET_WIDTH] += 1;
    const Tensor *moved = normalized(t, net, i, other);
    float factor = moved->data[0] - out->data[0];
    for (size_t k = 0; k < SPIRAL_POINTS * NET_WIDTH; k++) {
        size_t point = k / NET_WIDTH, channel = k % NET_WIDTH;
        float change = moved->data[k] - out->data[k],
              expected = point % 2 || channel ? 0 : factor;
        if (!(fabsf(change - expected) <= 1e-3f * fabsf(expected))) {
            die("norm %zu, evaluation: what moves channel 0 of even points moves point "
                "%zu, channel %zu by "
                "%g, expected %g",
                i, point, channel, (double)change, (double)expected);
        }
    }
}

static void expect_mean_and_variance(size_t i, const Tensor *out) {
    for (size_t c = 0; c < NET_WIDTH; c++) {
        double values[SPIRAL_POINTS];
        for (size_t r = 0; r < SPIRAL_POINTS; r++)
            values[r] = (double)out->data[r * NET_WIDTH + c];
        Moments of = moments_of(values, SPIRAL_POINTS);
        if (!(fabs(of.mean) < 0.75 && of.deviation > 0.5 && of.deviation < 2)) {
            die("norm %zu, evaluation: channel %zu has mean %.2f and deviation %.2f, "
                "expected about 0 and 1",
                i, c, of.mean, of.deviation);
        }
    }
}

/* In evaluation mode, on the points that it was trained on, each norm does the same as
 * BatchNorm. */
static void expect_norms(Tape *t, const Net *net, const SpiralPoints *points) {
    t->training = false;
    Tensor *x = tape_input(t, 2, (size_t[]){SPIRAL_POINTS, 2}, points->x);
    for (size_t i = 0; i < net->config.depth; i++) {
        x = linear(t, &net->fc[i], x);
        const Tensor *out = normalized(t, net, i, x);
        expect_by_channel(t, net, i, x, out);
        expect_mean_and_variance(i, out);
        x = relu(t, layer_forward(t, net->norm[i], x));
    }
    tape_reset(t);
}

static double train(uint64_t seed) {
    SpiralPoints points, test;
    Random random = random_stream(seed, STREAM_DATA);
    spirals_fill(points.x, points.classes, SPIRAL_POINTS, &random);
    spirals_fill(test.x, test.classes, SPIRAL_POINTS, &random);
    Net net;
    net_create(&net, (NetConfig){.norm = NET_BATCHNORM, .depth = 2, .eps = 1e-5f},
               seed);
    for (size_t i = 0; i < net.config.depth; i++)
        net.norm[i] = (Layer){own_norm, &net.bn[i]};
    AdamW adamw = adamw_create(&net.params, 2e-3f, 0.0f);
    Tape tape = tape_create(seed);
    Random order = random_stream(seed, STREAM_SAMPLE);
    for (size_t step = 1; step <= STEPS; step++) {
        net_gradient(&net, &tape, &points, BATCH, &order);
        adamw_step(&adamw, &net.params);
    }
    double accuracy = net_accuracy(&net, &tape, &test);
    expect_norms(&tape, &net, &points);
    tape_free(&tape);
    adamw_free(&adamw);
    net_free(&net);
    return accuracy;
}

static void judge(const Settings *settings) {
    double accuracy[PROBLEM_SEEDS];
    problem_measure(accuracy, settings, train, "%.3f of other points named rightly");
    problem_at_least("accuracy", accuracy, 0.9);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "01/two_samples", judge);
}
