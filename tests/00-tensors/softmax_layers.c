/* Tests of softmax and cross-entropy on the tape: the kernels of exercise
 * 00/softmax_cross_entropy, and what the layers refuse. */
#include "00-tensors/softmax_layer.h"

#include <math.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/layer_gradient.h"
#include "weights/params.h"
#include "plain_softmax.h"

/* softmax over axis 1 of [2, 3, 2]. */
static void plain_softmax_layer(double *out, const double *const *in, void *context) {
    const double *x = in[0];
    (void)context;
    for (size_t line = 0; line < 4; line++) {
        size_t start = line / 2 * 6 + line % 2;
        double below = 0;
        for (size_t i = 0; i < 3; i++) below += exp(x[start + 2 * i]);
        for (size_t i = 0; i < 3; i++)
            out[start + 2 * i] = exp(x[start + 2 * i]) / below;
    }
}

static Tensor *run_softmax(Tape *t, void *x) {
    return softmax(t, x, -2);
}

Test(softmax_layers, softmax_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *x = params_add(&params, 3, (size_t[]){2, 3, 2}, "x");
    check_layer_gradient(&(LayerGradient){.layer = run_softmax,
                                          .plain = plain_softmax_layer,
                                          .context = x,
                                          .of = {{"dx", x}}});
}

static void plain_mean_loss(double *out, const double *const *in, void *context) {
    const double *x = in[0];
    (void)context;
    double sum = 0, counted = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double below = 0;
        if (targets[r] == IGNORE_TARGET) continue;
        for (size_t i = 0; i < CLASSES; i++) below += exp(x[r * CLASSES + i]);
        sum += log(below) - x[r * CLASSES + (size_t)targets[r]];
        counted++;
    }
    *out = sum / counted;
}

static Tensor *run_loss(Tape *t, void *logits) {
    return cross_entropy(t, logits, targets);
}

Test(softmax_layers, loss_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *logits = params_add(&params, 3, (size_t[]){2, 2, CLASSES}, "logits");
    check_layer_gradient(&(LayerGradient){.layer = run_loss,
                                          .plain = plain_mean_loss,
                                          .context = logits,
                                          .of = {{"dlogits", logits}}});
}

static void loss_of_target(void *target) {
    Tape t = tape_create(1);
    float logits[3] = {0};
    cross_entropy(&t, tape_input(&t, 2, (size_t[]){1, 3}, logits), target);
}

Test(softmax_layers, loss_refuses_a_target_that_is_no_class, .timeout = 10) {
    expect_exit(0, "", loss_of_target, &(int){2});
    expect_exit(EXIT_INPUT, "target 3 in row 0, expected 0 to 2", loss_of_target,
                &(int){3});
    expect_exit(EXIT_INPUT, "target -1 in row 0", loss_of_target, &(int){-1});
}

static void softmax_over_axis(void *axis) {
    Tape t = tape_create(1);
    float x[6] = {0};
    softmax(&t, tape_input(&t, 2, (size_t[]){2, 3}, x), *(int *)axis);
}

Test(softmax_layers, softmax_refuses_an_axis_that_is_not_there, .timeout = 10) {
    expect_exit(0, "", softmax_over_axis, &(int){-2});
    expect_exit(EXIT_INPUT, "axis 2 of a tensor with 2 axes", softmax_over_axis,
                &(int){2});
    expect_exit(EXIT_INPUT, "axis -3 of a tensor with 2 axes", softmax_over_axis,
                &(int){-3});
}
