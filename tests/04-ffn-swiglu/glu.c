/* Tests of the given activations and gates: SiLU and GLU against PyTorch, all gates by central differences.
 */
#include "04-ffn-swiglu/glu.h"

#include <math.h>

#include "04-ffn-swiglu/silu.h"
#include "04-ffn-swiglu/swiglu.h"
#include "check.h"
#include "dies.h"
#include "golden.h"
#include "gradcheck.h"
#include "params.h"

Test(silu, equals_pytorch, .timeout = 10) {
    size_t n;
    float *x = golden_float("activation", "silu_rand", "x", &n),
          *dy = golden_float("activation", "silu_rand", "dy", NULL);
    float *out = nan_floats(n), *dx = ones_and_a_half(n);
    silu_forward(out, x, n);
    silu_backward(dx, dy, x, n);
    CHECK_CLOSE("silu", out, golden("activation", "silu_rand", "y", NULL), n, 1e-6);
    CHECK_ADDED("dx", dx, golden("activation", "silu_rand", "dx", NULL), n, 1e-5);
}

/* 0, -0, 1e-8 up to +-10000: no NaN, and exact where the sigmoid is 0 or 1. */
Test(silu, grid_equals_pytorch, .timeout = 10) {
    size_t n;
    float *x = golden_float("activation", "silu_grid", "x", &n), *ones = ones_and_a_half(n);
    const double *y = golden("activation", "silu_grid", "y", NULL);
    float *out = nan_floats(n), *dx = ones_and_a_half(n);
    silu_forward(out, x, n);
    silu_backward(dx, ones, x, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(fabs((double)out[i] - y[i]) <= 1e-6 * fmax(1e-3, fabs(y[i])), "silu(%g) = %.9g, expected %.9g",
              (double)x[i], (double)out[i], y[i]);
        CHECK(isfinite(dx[i]), "the slope of silu at %g is %g", (double)x[i], (double)dx[i]);
    }
}

/* --- gates on the tape against central differences of a double version --- */

enum { ROWS = 3, COLS = 5, N = ROWS * COLS };

typedef enum { GLU, BILINEAR, REGLU, GEGLU, SWIGLU, GATES } GateKind;

static Tensor *(*const gates[GATES])(Tape *, Tensor *, Tensor *) = {glu, bilinear, reglu, geglu, swiglu};

typedef struct {
    GateKind kind;
    const float *weights;
} Context;

/* x: gate, then up. */
static double gate_sum(const double *x, size_t n, void *context) {
    const Context *c = context;
    double sum = 0;
    for (size_t i = 0; i < n / 2; i++) {
        double g = x[i], f = g;
        if (c->kind == GLU) f = 1 / (1 + exp(-g));
        if (c->kind == REGLU) f = fmax(g, 0);
        if (c->kind == GEGLU) f = 0.5 * g * (1 + erf(g / sqrt(2)));
        if (c->kind == SWIGLU) f = g / (1 + exp(-g));
        sum += (double)c->weights[i] * f * x[n / 2 + i];
    }
    return sum;
}

static void check_gate(GateKind kind) {
    Params params = {.mode = PARAMS_TRAIN};
    Tape t = tape_create(1);
    Tensor *gate = params_add(&params, 2, (size_t[]){ROWS, COLS}, "gate");
    Tensor *up = params_add(&params, 2, (size_t[]){ROWS, COLS}, "up");
    float *values = normal_floats(2 * N, 1.5, 10 + (unsigned)kind), *weights = normal_floats(N, 1, 20);
    for (size_t i = 0; i < N; i++) gate->data[i] = values[i], up->data[i] = values[N + i];

    Context context = {kind, weights};
    double *x = as_double(values, 2 * N), expected[2 * N];
    numeric_gradient(expected, gate_sum, x, 2 * N, 1e-5, &context);

    Tensor *loss = tape_weighted_sum(&t, gates[kind](&t, gate, up), weights);
    CHECK_NUMBER("the weighted sum of the gate's output", loss->data[0], gate_sum(x, 2 * N, &context), 1e-5);
    tape_backward(&t, loss);
    CHECK_CLOSE("dgate", gate->grad, expected, N, 1e-5);
    CHECK_CLOSE("dup", up->grad, expected + N, N, 1e-5);
    params_free(&params);
    tape_free(&t);
}

Test(gates, glu_gradient, .timeout = 10) {
    check_gate(GLU);
}
Test(gates, bilinear_gradient, .timeout = 10) {
    check_gate(BILINEAR);
}
Test(gates, reglu_gradient, .timeout = 10) {
    check_gate(REGLU);
}
Test(gates, geglu_gradient, .timeout = 10) {
    check_gate(GEGLU);
}
Test(gates, swiglu_gradient, .timeout = 10) {
    check_gate(SWIGLU);
}

static void gate_of_other_shape(void *argument) {
    (void)argument;
    Tape t = tape_create(1);
    float x[6] = {0};
    glu(&t, tape_input(&t, 2, (size_t[]){2, 3}, x), tape_input(&t, 2, (size_t[]){3, 2}, x));
}

Test(gates, refuse_different_shapes, .timeout = 10) {
    expect_exit(EXIT_INPUT, "glu", gate_of_other_shape, NULL);
}
