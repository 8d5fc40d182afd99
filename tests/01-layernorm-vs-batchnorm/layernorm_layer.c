/* Tests of layernorm_layer.c: the gradient through the tape, several normalized axes, layers without gain or
 * bias, and what the layer is for: that the batch does not matter. */
#include <math.h>
#include <string.h>

#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "check.h"
#include "layer_gradient.h"

enum { ROWS = 3, FIRST = 2, SECOND = 4, DIM = FIRST * SECOND };

static void plain(double *out, const double *const *in, void *context) {
    const double *gain = in[1], *bias = in[2];
    (void)context;
    for (size_t r = 0; r < ROWS; r++) {
        const double *x = in[0] + r * DIM;
        double mean = 0, variance = 0;
        for (size_t i = 0; i < DIM; i++) mean += x[i] / DIM;
        for (size_t i = 0; i < DIM; i++) variance += (x[i] - mean) * (x[i] - mean) / DIM;
        for (size_t i = 0; i < DIM; i++)
            out[r * DIM + i] = (x[i] - mean) / sqrt(variance + 1e-5) * gain[i] + bias[i];
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

Test(layernorm_layer, gradient_over_two_axes, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    WithInput c = {layernorm_create(&params, 2, (size_t[]){FIRST, SECOND}, 1e-5f, "ln"),
                   params_add(&params, 3, (size_t[]){ROWS, FIRST, SECOND}, "x")};
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain,
        .context = &c,
        .of = {{"dx", c.x}, {"dgain", c.norm.gain}, {"dbias", c.norm.bias}},
    });
}

Test(layernorm_layer, starts_with_gain_one_and_bias_zero, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    LayerNorm l = layernorm_create(&params, 1, (size_t[]){3}, 1e-5f, "h.0.ln_1");
    CHECK_CLOSE("gain", l.gain->data, ((double[]){1, 1, 1}), 3, 1e-7);
    CHECK_CLOSE("bias", l.bias->data, ((double[]){0, 0, 0}), 3, 1e-7);
    CHECK(params_find(&params, "h.0.ln_1.weight") == l.gain, "the gain is not registered as h.0.ln_1.weight");
    CHECK(params_find(&params, "h.0.ln_1.bias") == l.bias, "the bias is not registered as h.0.ln_1.bias");
}

Test(layernorm_layer, without_gain_and_bias, .timeout = 10) {
    LayerNorm l = {.dim = 2, .eps = 0};
    Tape t = tape_create(1);
    Tensor x = {.ndim = 2, .shape = {2, 2}, .data = (float[]){1, 3, -5, -1}, .grad = (float[4]){0}};
    Tensor *out = layernorm(&t, &l, &x);
    CHECK_CLOSE("out", out->data, ((double[]){-1, 1, -1, 1}), 4, 1e-6);
    tape_backward(&t, tape_weighted_sum(&t, out, (float[]){1, 2, 3, 4}));
    /* Two numbers are always normalized to -1 and 1: nothing they do changes the output. */
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
    CHECK(memcmp(one->data, all->data, WIDTH * sizeof(float)) == 0, "the first row changes with the batch");
}
