/* Tests of batchnorm.c: PyTorch's numbers in training and evaluation, the gradient
 * through the tape. */
#include "01-layernorm-vs-batchnorm/batchnorm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "tensor/gradcheck.h"

static const char *const family = "batchnorm";

/* A layer with the gain and bias of a golden case. */
static BatchNorm golden_layer(Params *params, const char *name) {
    size_t channels;
    float *gain = golden_float(family, name, "weight", &channels);
    BatchNorm l = batchnorm_create(params, channels, "bn");
    l.eps = (float)golden_attr(family, name, "eps");
    l.momentum = (float)golden_attr(family, name, "momentum");
    memcpy(l.gain->data, gain, channels * sizeof *gain);
    memcpy(l.bias->data, golden_float(family, name, "bias", NULL),
           channels * sizeof *gain);
    for (size_t c = 0; c < channels; c++) l.gain->grad[c] = l.bias->grad[c] = 1.5f;
    return l;
}

/* Three batches one after the other; the gradients are those of the first. */
static void check_training(const char *name) {
    Params params = {.mode = PARAMS_TRAIN};
    BatchNorm l = golden_layer(&params, name);
    size_t shape[SAFETENSORS_MAX_NDIM], size;
    int ndim = golden_shape(family, name, "x", shape);
    memcpy(l.running_mean, golden_float(family, name, "running_mean0", NULL),
           l.channels * sizeof(float));
    memcpy(l.running_var, golden_float(family, name, "running_var0", NULL),
           l.channels * sizeof(float));
    const char *const inputs[] = {"x", "x2", "x3"}, *const outputs[] = {"y", "y2",
                                                                        "y3"};
    for (int batch = 0; batch < 3; batch++) {
        Tape t = tape_create(1);
        float *data = golden_float(family, name, inputs[batch], &size);
        Tensor x = {.ndim = ndim, .data = data, .grad = ones_and_a_half(size)};
        memcpy(x.shape, shape, sizeof x.shape);
        Tensor *out = batchnorm(&t, &l, &x);
        CHECK_CLOSE(outputs[batch], out->data,
                    golden(family, name, outputs[batch], NULL), size, 1e-5);
        char mean[32], variance[32];
        snprintf(mean, sizeof mean, "running_mean%d", batch + 1);
        snprintf(variance, sizeof variance, "running_var%d", batch + 1);
        CHECK_CLOSE(mean, l.running_mean, golden(family, name, mean, NULL), l.channels,
                    1e-5);
        CHECK_CLOSE(variance, l.running_var, golden(family, name, variance, NULL),
                    l.channels, 1e-5);
        if (batch > 0) continue;
        memcpy(out->grad, golden_float(family, name, "dy", NULL), size * sizeof(float));
        tape_backward_from_grad(&t);
        CHECK_ADDED("dx", x.grad, golden(family, name, "dx", NULL), size, 2e-5);
        CHECK_ADDED("dgain", l.gain->grad, golden(family, name, "dweight", NULL),
                    l.channels, 1e-5);
        CHECK_ADDED("dbias", l.bias->grad, golden(family, name, "dbias", NULL),
                    l.channels, 1e-5);
    }
}

Test(batchnorm, training_equals_pytorch, .timeout = 10) {
    check_training("nc_train");
    check_training("ncl_train");
}

static void check_evaluation(const char *name) {
    Params params = {.mode = PARAMS_TRAIN};
    BatchNorm l = golden_layer(&params, name);
    memcpy(l.running_mean, golden_float(family, name, "running_mean", NULL),
           l.channels * sizeof(float));
    memcpy(l.running_var, golden_float(family, name, "running_var", NULL),
           l.channels * sizeof(float));
    Tape t = tape_create(1);
    t.training = false;
    size_t shape[SAFETENSORS_MAX_NDIM], size;
    int ndim = golden_shape(family, name, "x", shape);
    float *data = golden_float(family, name, "x", &size);
    Tensor x = {.ndim = ndim, .data = data, .grad = ones_and_a_half(size)};
    memcpy(x.shape, shape, sizeof x.shape);
    Tensor *out = batchnorm(&t, &l, &x);
    CHECK_CLOSE("y", out->data, golden(family, name, "y", NULL), size, 1e-5);
    CHECK_CLOSE("running mean", l.running_mean,
                golden(family, name, "running_mean", NULL), l.channels, 1e-7);
    CHECK_CLOSE("running variance", l.running_var,
                golden(family, name, "running_var", NULL), l.channels, 1e-7);
    memcpy(out->grad, golden_float(family, name, "dy", NULL), size * sizeof(float));
    tape_backward_from_grad(&t);
    CHECK_ADDED("dx", x.grad, golden(family, name, "dx", NULL), size, 1e-5);
    CHECK_ADDED("dgain", l.gain->grad, golden(family, name, "dweight", NULL),
                l.channels, 1e-5);
    CHECK_ADDED("dbias", l.bias->grad, golden(family, name, "dbias", NULL), l.channels,
                1e-5);
}

Test(batchnorm, evaluation_equals_pytorch, .timeout = 10) {
    check_evaluation("nc_eval");
    check_evaluation("ncl_eval");
}

/* With one sample a batch, as the lesson says, only the bias is left. */
Test(batchnorm, batch_of_one_gives_the_bias, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    BatchNorm l = batchnorm_create(&params, 3, "bn");
    for (size_t c = 0; c < 3; c++) l.bias->data[c] = (float)c;
    Tape t = tape_create(1);
    Tensor x = {.ndim = 2,
                .shape = {1, 3},
                .data = (float[]){5, -7, 100},
                .grad = (float[3]){0}};
    float weights[3] = {1, 2, 3};
    Tensor *out = batchnorm(&t, &l, &x);
    tape_backward(&t, tape_weighted_sum(&t, out, weights));
    CHECK_CLOSE("out", out->data, ((double[]){0, 1, 2}), 3, 1e-6);
    CHECK_CLOSE("dx", x.grad, ((double[]){0, 0, 0}), 3, 1e-6);
    CHECK_CLOSE("dgain", l.gain->grad, ((double[]){0, 0, 0}), 3, 1e-6);
}

typedef struct {
    const float *weights;
    size_t batch, channels, length;
} Context;

/* x, gain and bias in one list: the weighted sum of the normalized batch. */
static double plain_sum(const double *all, size_t n, void *context) {
    const Context *s = context;
    const double *gain = all + s->batch * s->channels * s->length,
                 *bias = gain + s->channels;
    double total = 0, per_channel = (double)(s->batch * s->length);
    for (size_t c = 0; c < s->channels; c++) {
        double mean = 0, variance = 0;
        for (size_t i = 0; i < s->batch * s->channels * s->length; i++) {
            if (i / s->length % s->channels == c) mean += all[i] / per_channel;
        }
        for (size_t i = 0; i < s->batch * s->channels * s->length; i++) {
            if (i / s->length % s->channels == c)
                variance += (all[i] - mean) * (all[i] - mean) / per_channel;
        }
        for (size_t i = 0; i < s->batch * s->channels * s->length; i++) {
            if (i / s->length % s->channels != c) continue;
            total += (double)s->weights[i] *
                     ((all[i] - mean) / sqrt(variance + 1e-5) * gain[c] + bias[c]);
        }
    }
    return n == s->batch * s->channels * s->length + 2 * s->channels ? total : NAN;
}

Test(batchnorm, gradient_through_the_tape, .timeout = 10) {
    enum {
        BATCH = 4,
        CHANNELS = 3,
        LENGTH = 2,
        SIZE = BATCH * CHANNELS * LENGTH,
        ALL = SIZE + 2 * CHANNELS
    };
    float *all = normal_floats(ALL, 1, 1), *weights = normal_floats(SIZE, 1, 2);
    double numeric[ALL];
    numeric_gradient(numeric, plain_sum, as_double(all, ALL), ALL, 1e-5,
                     &(Context){.weights = weights,
                                .batch = BATCH,
                                .channels = CHANNELS,
                                .length = LENGTH});
    Params params = {.mode = PARAMS_TRAIN};
    BatchNorm l = batchnorm_create(&params, CHANNELS, "bn");
    memcpy(l.gain->data, all + SIZE, CHANNELS * sizeof *all);
    memcpy(l.bias->data, all + SIZE + CHANNELS, CHANNELS * sizeof *all);
    Tape t = tape_create(1);
    Tensor x = {.ndim = 3,
                .shape = {BATCH, CHANNELS, LENGTH},
                .data = all,
                .grad = ones_and_a_half(SIZE)};
    tape_backward(&t, tape_weighted_sum(&t, batchnorm(&t, &l, &x), weights));
    CHECK_ADDED("dx", x.grad, numeric, SIZE, 1e-5);
    CHECK_CLOSE("dgain", l.gain->grad, numeric + SIZE, CHANNELS, 1e-5);
    CHECK_CLOSE("dbias", l.bias->grad, numeric + SIZE + CHANNELS, CHANNELS, 1e-5);
}

/* Channels that hold one number over and over, also far from zero: the variance is 0,
 * the output the bias. */
Test(batchnorm, constant_channels_give_the_bias, .timeout = 10) {
    enum { BATCH = 100, LENGTH = 10, CHANNELS = 2 };
    Params params = {.mode = PARAMS_TRAIN};
    BatchNorm l = batchnorm_create(&params, CHANNELS, "bn");
    float *x = normal_floats(BATCH * CHANNELS * LENGTH, 1, 1);
    double expected[BATCH * CHANNELS * LENGTH];
    for (size_t i = 0; i < BATCH * CHANNELS * LENGTH; i++) {
        size_t c = i / LENGTH % CHANNELS;
        x[i] = c == 0 ? 0.1f : 10000.1f;
        l.bias->data[c] = (float)c + 1;
        expected[i] = (double)c + 1;
    }
    Tape t = tape_create(1);
    Tensor *out =
        batchnorm(&t, &l, tape_input(&t, 3, (size_t[]){BATCH, CHANNELS, LENGTH}, x));
    CHECK_CLOSE("out", out->data, expected, BATCH * CHANNELS * LENGTH, 1e-6);
}

/* Into three channels: x of the shape in `argument`, which ends with the largest
 * size_t. */
static void run_on_shape(void *argument) {
    const size_t *shape = argument;
    int ndim = 0;
    while (shape[ndim] != (size_t)-1) ndim++;
    Params params = {.mode = PARAMS_TRAIN};
    BatchNorm l = batchnorm_create(&params, 3, "bn");
    Tape t = tape_create(1);
    float x[64] = {0};
    batchnorm(&t, &l, tape_input(&t, ndim, shape, x));
}

Test(batchnorm, wrong_shapes_are_one_clear_line, .timeout = 10) {
    expect_exit(EXIT_INPUT, "batchnorm: x is [2, 4], expected [N, 3] or [N, 3, L]",
                run_on_shape, (size_t[]){2, 4, (size_t)-1});
    expect_exit(EXIT_INPUT, "batchnorm: x is [2, 2, 3], expected [N, 3] or [N, 3, L]",
                run_on_shape, (size_t[]){2, 2, 3, (size_t)-1});
    expect_exit(EXIT_INPUT, "batchnorm: x is [3], expected [N, 3] or [N, 3, L]",
                run_on_shape, (size_t[]){3, (size_t)-1});
    expect_exit(EXIT_INPUT, "batchnorm: x is [0, 3], which holds no numbers",
                run_on_shape, (size_t[]){0, 3, (size_t)-1});
}
