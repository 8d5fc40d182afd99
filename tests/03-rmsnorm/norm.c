/* Tests of the norm that a config chooses, and of the RMSNorm layer. */
#include "03-rmsnorm/norm.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/layer_gradient.h"

enum { B = 2, T = 3, C = 5, SIZE = B * T * C };

/* Normalizes n numbers that lie `stride` apart, in double. */
static void plain(double *x, size_t n, size_t stride, bool center, double eps) {
    double mean = 0, sum = 0;
    for (size_t i = 0; i < n; i++) mean += center ? x[i * stride] / (double)n : 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i * stride] - mean) * (x[i * stride] - mean);
    for (size_t i = 0; i < n; i++)
        x[i * stride] = (x[i * stride] - mean) / sqrt(sum / (double)n + eps);
}

typedef struct {
    NormKind kind;
    const Norm *norm;
    Tensor *x;
} Context;

static void plain_norm(double *out, const double *const *in, void *context) {
    NormKind kind = ((const Context *)context)->kind;
    const double *gain = in[1], *bias = in[2];
    memcpy(out, in[0], SIZE * sizeof *out);
    for (size_t i = 0; i < C && kind == NORM_BATCH; i++)
        plain(out + i, (size_t)B * T, C, true, 1e-3);
    for (size_t r = 0; r < (size_t)B * T && kind != NORM_BATCH; r++) {
        plain(out + r * C, C, 1, kind == NORM_LAYER, 1e-3);
    }
    for (size_t i = 0; i < SIZE; i++)
        out[i] = out[i] * gain[i % C] + (bias ? bias[i % C] : 0);
}

static Tensor *run(Tape *t, void *context) {
    const Context *c = context;
    Tensor *out = layer_forward(t, norm_layer(c->norm), c->x);
    CHECK(out->ndim == 3 && out->shape[0] == B && out->shape[1] == T &&
              out->shape[2] == C,
          "the shape has changed");
    return out;
}

static void check_kind(NormKind kind) {
    Params params = {.mode = PARAMS_TRAIN};
    Norm n = norm_create(&params, kind, C, 1e-3f, "norm");
    CHECK(params_count(&params) == (kind == NORM_RMS ? C : 2 * C), "%zu parameters",
          params_count(&params));
    Tensor *gain = params_find(&params, "norm.weight"),
           *bias = params_find(&params, "norm.bias");
    Tensor *x = params_add(&params, 3, (size_t[]){B, T, C}, "x");
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain_norm,
        .context = &(Context){kind, &n, x},
        .of = {{"dx", x}, {"dgain", gain}, {"dbias", bias}},
    });
    norm_free(&n);
}

/* Of BatchNorm the statistics are over batch and time together. */
Test(norm, gradients, .timeout = 10) {
    check_kind(NORM_RMS);
    check_kind(NORM_LAYER);
    check_kind(NORM_BATCH);
}

Test(norm, none_does_nothing, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Norm n = norm_create(&params, NORM_NONE, C, 1e-5f, "norm");
    Tape t = tape_create(1);
    Tensor *x = tape_input(&t, 1, (size_t[]){C}, (float[C]){1, 2, 3, 4, 5});
    CHECK(norm(&t, &n, x) == x, "norm() has made another tensor");
    CHECK(layer_forward(&t, norm_layer(&n), x) == x,
          "the layer has made another tensor");
    CHECK(params_count(&params) == 0, "there are %zu parameters",
          params_count(&params));
}

/* After training, BatchNorm takes its running statistics:
 * the rows of a batch no longer matter to each other. */
Test(norm, batch_in_evaluation, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Norm n = norm_create(&params, NORM_BATCH, C, 1e-5f, "norm");
    Tape t = tape_create(1);
    float *x = normal_floats(SIZE, 2, 3);
    norm(&t, &n, tape_input(&t, 3, (size_t[]){B, T, C}, x));
    t.training = false;
    Tensor *all = norm(&t, &n, tape_input(&t, 3, (size_t[]){B, T, C}, x));
    Tensor *one = norm(&t, &n, tape_input(&t, 3, (size_t[]){1, 1, C}, x));
    CHECK_CLOSE("the first row alone", one->data, as_double(all->data, C), C, 1e-6);
}

Test(norm, names, .timeout = 10) {
    CHECK(norm_kind("none") == NORM_NONE && norm_kind("batch") == NORM_BATCH,
          "none or batch is wrong");
    CHECK(norm_kind("layer") == NORM_LAYER && norm_kind("rms") == NORM_RMS,
          "layer or rms is wrong");
}

static void unknown_name(void *argument) {
    (void)argument;
    norm_kind("group");
}

static void wrong_width(void *argument) {
    Params params = {.mode = PARAMS_TRAIN};
    Norm n = norm_create(&params, *(NormKind *)argument, C + 1, 1e-5f, "norm");
    Tape t = tape_create(1);
    norm(&t, &n, tape_input(&t, 3, (size_t[]){B, T, C}, normal_floats(SIZE, 1, 1)));
}

Test(norm, refuses, .timeout = 10) {
    expect_exit(EXIT_INPUT, "norm 'group': expected none, batch, layer or rms",
                unknown_name, NULL);
    NormKind rms = NORM_RMS, batch = NORM_BATCH;
    expect_exit(EXIT_INPUT, "rmsnorm: x is [2, 3, 5], expected a last axis of 6",
                wrong_width, &rms);
    expect_exit(EXIT_INPUT, "batchnorm: x is [2, 3, 5], expected a last axis of 6",
                wrong_width, &batch);
}
