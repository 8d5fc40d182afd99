/* Tests of layernorm_layer.c: the gradient through the tape over one, two and three
 * normalized axes, with and without gain and bias, and what the layer is for: that the
 * batch does not matter. */
#include <math.h>
#include <string.h>

#include "01-layernorm-vs-batchnorm/layernorm_layer.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/layer_gradient.h"

enum { ROWS = 3, DIM = 24 };

/* A layer without gain or bias has no tensor for it, and in[] is NULL there. */
static void plain(double *out, const double *const *in, void *context) {
    const double *gain = in[1], *bias = in[2];
    (void)context;
    for (size_t r = 0; r < ROWS; r++) {
        const double *x = in[0] + r * DIM;
        double mean = 0, variance = 0;
        for (size_t i = 0; i < DIM; i++) mean += x[i] / DIM;
        for (size_t i = 0; i < DIM; i++)
            variance += (x[i] - mean) * (x[i] - mean) / DIM;
        for (size_t i = 0; i < DIM; i++) {
            double xhat = (x[i] - mean) / sqrt(variance + 1e-5);
            out[r * DIM + i] = xhat * (gain ? gain[i] : 1) + (bias ? bias[i] : 0);
        }
    }
}

typedef struct {
    LayerNorm norm;
    Tensor *x;
} WithInput;

static Tensor *run(Tape *t, void *context) {
    const WithInput *c = context;
    return layer_forward(t, layernorm_layer(&c->norm), c->x);
}

/* x is [ROWS, the last `ndim` axes]; the same 24 numbers a row, in every shape. */
static void check_gradient(int ndim, const size_t *normalized_shape, bool has_gain,
                           bool has_bias) {
    Params params = {.mode = PARAMS_TRAIN};
    WithInput c = {layernorm_create_with(&params, ndim, normalized_shape, 1e-5f,
                                         has_gain, has_bias, "ln"),
                   NULL};
    CHECK(params.n == (size_t)has_gain + has_bias, "%zu parameters are registered",
          params.n);
    size_t shape[TENSOR_MAX_NDIM] = {ROWS};
    memcpy(shape + 1, normalized_shape, (size_t)ndim * sizeof *normalized_shape);
    c.x = params_add(&params, ndim + 1, shape, "x");
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain,
        .context = &c,
        .of = {{"dx", c.x}, {"dgain", c.norm.gain}, {"dbias", c.norm.bias}},
    });
}

Test(layernorm_layer, gradient_over_one_two_and_three_axes, .timeout = 10) {
    check_gradient(1, (size_t[]){24}, true, true);
    check_gradient(2, (size_t[]){4, 6}, true, true);
    check_gradient(3, (size_t[]){2, 3, 4}, true, true);
}

Test(layernorm_layer, gradient_without_gain_or_bias, .timeout = 10) {
    for (int ndim = 1; ndim <= 3; ndim++) {
        static const size_t shapes[3][3] = {{24}, {4, 6}, {2, 3, 4}};
        check_gradient(ndim, shapes[ndim - 1], true, false);
        check_gradient(ndim, shapes[ndim - 1], false, true);
        check_gradient(ndim, shapes[ndim - 1], false, false);
    }
}

/* All four axes: the whole tensor is one row. */
Test(layernorm_layer, all_axes, .timeout = 10) {
    LayerNorm l =
        layernorm_create_with(NULL, 4, (size_t[]){1, 2, 1, 2}, 0, false, false, "ln");
    Tape t = tape_create(1);
    Tensor x = {.ndim = 4,
                .shape = {1, 2, 1, 2},
                .data = (float[]){1, 3, 1, 3},
                .grad = (float[4]){0}};
    CHECK_CLOSE("out", layernorm(&t, &l, &x)->data, ((double[]){-1, 1, -1, 1}), 4,
                1e-6);
}

Test(layernorm_layer, starts_with_gain_one_and_bias_zero, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    LayerNorm l = layernorm_create(&params, 1, (size_t[]){3}, 1e-5f, "h.0.ln_1");
    CHECK_CLOSE("gain", l.gain->data, ((double[]){1, 1, 1}), 3, 1e-7);
    CHECK_CLOSE("bias", l.bias->data, ((double[]){0, 0, 0}), 3, 1e-7);
    CHECK(params_find(&params, "h.0.ln_1.weight") == l.gain,
          "the gain is not registered as h.0.ln_1.weight");
    CHECK(params_find(&params, "h.0.ln_1.bias") == l.bias,
          "the bias is not registered as h.0.ln_1.bias");
}

/* Two numbers are always normalized to -1 and 1: nothing they do changes the output. */
Test(layernorm_layer, two_numbers_have_no_gradient, .timeout = 10) {
    LayerNorm l = layernorm_create_with(NULL, 1, (size_t[]){2}, 0, false, false, "ln");
    Tape t = tape_create(1);
    Tensor x = {.ndim = 2,
                .shape = {2, 2},
                .data = (float[]){1, 3, -5, -1},
                .grad = (float[4]){0}};
    Tensor *out = layernorm(&t, &l, &x);
    CHECK_CLOSE("out", out->data, ((double[]){-1, 1, -1, 1}), 4, 1e-6);
    tape_backward(&t, tape_weighted_sum(&t, out, (float[]){1, 2, 3, 4}));
    CHECK_CLOSE("dx", x.grad, ((double[]){0, 0, 0, 0}), 4, 1e-6);
}

Test(layernorm_layer, a_row_does_not_depend_on_its_batch, .timeout = 10) {
    enum { BATCH = 200, WIDTH = 96 };
    float *x = normal_floats(BATCH * WIDTH, 3, 3);
    Params params = {.mode = PARAMS_INFER};
    LayerNorm l = layernorm_create(&params, 1, (size_t[]){WIDTH}, 1e-5f, "ln");
    Tape t = tape_create(1);
    Tensor *one = layernorm(&t, &l, tape_input(&t, 2, (size_t[]){1, WIDTH}, x));
    Tensor *all = layernorm(&t, &l, tape_input(&t, 2, (size_t[]){BATCH, WIDTH}, x));
    CHECK(memcmp(one->data, all->data, WIDTH * sizeof(float)) == 0,
          "the first row changes with the batch");
}

/* A layer over [3, 4] on a tensor of the shape in `argument`, which ends with 0. */
static void run_on_shape(void *argument) {
    const size_t *shape = argument;
    int ndim = 0;
    while (shape[ndim]) ndim++;
    float x[64] = {0};
    LayerNorm l =
        layernorm_create_with(NULL, 2, (size_t[]){3, 4}, 1e-5f, false, false, "ln");
    Tape t = tape_create(1);
    layernorm(&t, &l, tape_input(&t, ndim, shape, x));
}

static void create_over_no_axis(void *unused) {
    (void)unused;
    layernorm_create_with(NULL, 0, NULL, 1e-5f, false, false, "h.0.ln_1");
}

Test(layernorm_layer, wrong_shapes_are_one_clear_line, .timeout = 10) {
    expect_exit(0, "", run_on_shape, (size_t[]){2, 3, 4, 0});
    expect_exit(EXIT_INPUT,
                "layernorm: x is [2, 4, 3], expected the last axes to be [3, 4]",
                run_on_shape, (size_t[]){2, 4, 3, 0});
    expect_exit(EXIT_INPUT,
                "layernorm: x is [2, 12], expected the last axes to be [3, 4]",
                run_on_shape, (size_t[]){2, 12, 0});
    expect_exit(EXIT_INPUT, "layernorm: x is [4], expected the last axes to be [3, 4]",
                run_on_shape, (size_t[]){4, 0});
    expect_exit(EXIT_INPUT, "layernorm 'h.0.ln_1': 0 normalized axes, expected 1 to 4",
                create_over_no_axis, NULL);
}
