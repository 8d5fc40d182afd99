/* Tests of linear.c: PyTorch's numbers, the gradient through the tape, names,
 * shapes. */
#include "00-tensors/linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "check/layer_gradient.h"
#include "base/memory.h"

/* PyTorch's nn.Linear stores [out, in], we [in, out]. */
static double *transposed(const double *x, size_t rows, size_t cols) {
    double *out = checked_alloc(rows * cols, sizeof *out);
    for (size_t i = 0; i < rows * cols; i++) out[i % cols * rows + i / cols] = x[i];
    return out;
}

static void check_case(const char *name, bool stored_out_in) {
    size_t shape[SAFETENSORS_MAX_NDIM], x_shape[SAFETENSORS_MAX_NDIM], size, out_size;
    golden_shape("linear", name, "weight", shape);
    size_t n_in = shape[stored_out_in ? 1 : 0], n_out = shape[stored_out_in ? 0 : 1];
    const double *weight = golden("linear", name, "weight", NULL),
                 *dweight = golden("linear", name, "dweight", NULL);
    if (stored_out_in) {
        weight = transposed(weight, n_out, n_in);
        dweight = transposed(dweight, n_out, n_in);
    }
    bool has_bias = golden_has("linear", name, "bias");

    Params params = {.mode = PARAMS_TRAIN};
    Linear l = linear_create(&params, NULL, n_in, n_out, has_bias, 0, "fc");
    for (size_t i = 0; i < n_in * n_out; i++) {
        l.weight->data[i] = (float)weight[i];
        l.weight->grad[i] = 1.5f;
    }
    for (size_t j = 0; has_bias && j < n_out; j++) {
        l.bias->data[j] = (float)golden("linear", name, "bias", NULL)[j];
        l.bias->grad[j] = 1.5f;
    }
    Tape t = tape_create(1);
    float *data = golden_float("linear", name, "x", &size);
    Tensor x = {.ndim = golden_shape("linear", name, "x", x_shape),
                .data = data,
                .grad = ones_and_a_half(size)};
    memcpy(x.shape, x_shape, sizeof x.shape);
    Tensor *out = linear(&t, &l, &x);
    const double *expected = golden("linear", name, "y", &out_size);
    CHECK_CLOSE(name, out->data, expected, out_size, 1e-5);
    memcpy(out->grad, golden_float("linear", name, "dy", NULL),
           out_size * sizeof(float));
    tape_backward_from_grad(&t);
    CHECK_ADDED("dx", x.grad, golden("linear", name, "dx", NULL), size, 1e-5);
    CHECK_ADDED("dweight", l.weight->grad, dweight, n_in * n_out, 1e-5);
    if (has_bias)
        CHECK_ADDED("dbias", l.bias->grad, golden("linear", name, "dbias", NULL), n_out,
                    1e-5);
}

Test(linear, equals_pytorch, .timeout = 10) {
    check_case("conv1d3d", false);
    check_case("linear3d", true);
    check_case("linear2d_nobias", true);
    check_case("linear_row", true);
}

enum { ROWS = 3, IN = 4, OUT = 2 };

static void plain(double *out, const double *const *in, void *context) {
    const double *x = in[0], *weight = in[1], *bias = in[2];
    (void)context;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t j = 0; j < OUT; j++) {
            out[r * OUT + j] = bias[j];
            for (size_t i = 0; i < IN; i++)
                out[r * OUT + j] += x[r * IN + i] * weight[i * OUT + j];
        }
    }
}

typedef struct {
    Linear linear;
    Tensor *x;
} WithInput;

static Tensor *run(Tape *t, void *context) {
    const WithInput *c = context;
    return linear(t, &c->linear, c->x);
}

Test(linear, gradient_through_the_tape, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    WithInput c = {linear_create(&params, NULL, IN, OUT, true, 0, "fc"),
                   params_add(&params, 2, (size_t[]){ROWS, IN}, "x")};
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain,
        .context = &c,
        .of = {{"dx", c.x}, {"dweight", c.linear.weight}, {"dbias", c.linear.bias}},
    });
}

Test(linear, create_registers_and_draws, .timeout = 10) {
    enum { N = 100 };
    Params params = {.mode = PARAMS_TRAIN};
    Random r = random_create(1);
    Linear l = linear_create(&params, &r, N, N, true, 0.5f, "mlp.c_fc");
    CHECK(params_find(&params, "mlp.c_fc.weight") == l.weight,
          "the weight is not registered under its name");
    CHECK(params_find(&params, "mlp.c_fc.bias") == l.bias,
          "the bias is not registered under its name");
    CHECK(params_count(&params) == N * N + N, "%zu numbers registered",
          params_count(&params));
    double squares = 0;
    for (size_t i = 0; i < N * N; i++)
        squares += (double)l.weight->data[i] * (double)l.weight->data[i];
    CHECK_NUMBER("deviation of the weight", sqrt(squares / (N * N)), 0.5, 0.03);
    CHECK(l.bias->data[0] == 0 && l.bias->data[N - 1] == 0,
          "the bias does not start at zero");
    Linear bare = linear_create(&params, NULL, 2, 2, false, 0.5f, "head");
    CHECK(!bare.bias && params.n == 3, "a linear layer without bias registers one");
    CHECK(bare.weight->data[0] == 0, "with no generator the weight must stay zero");
}

static void apply_to_width_five(void *layer) {
    Tape t = tape_create(1);
    float x[10] = {0};
    linear(&t, layer, tape_input(&t, 2, (size_t[]){2, 5}, x));
}

Test(linear, refuses_a_wrong_width, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    Linear l = linear_create(&params, NULL, 4, 3, true, 0, "fc");
    expect_exit(EXIT_INPUT, "linear: x is [2, 5], expected a last axis of 4",
                apply_to_width_five, &l);
}
