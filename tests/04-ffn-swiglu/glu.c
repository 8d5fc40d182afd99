/* Tests of the given activations and gates: SiLU and GLU against PyTorch,
 * all gates by central differences. */
#include "04-ffn-swiglu/glu.h"

#include <math.h>

#include "04-ffn-swiglu/silu.h"
#include "04-ffn-swiglu/swiglu_layer.h"
#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "check/layer_gradient.h"
#include "weights/params.h"

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
    float *x = golden_float("activation", "silu_grid", "x", &n),
          *ones = ones_and_a_half(n);
    const double *y = golden("activation", "silu_grid", "y", NULL);
    float *out = nan_floats(n), *dx = ones_and_a_half(n);
    silu_forward(out, x, n);
    silu_backward(dx, ones, x, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(fabs((double)out[i] - y[i]) <= 1e-6 * fmax(1e-3, fabs(y[i])),
              "silu(%g) = %.9g, expected %.9g", (double)x[i], (double)out[i], y[i]);
        CHECK(isfinite(dx[i]), "the slope of silu at %g is %g", (double)x[i],
              (double)dx[i]);
    }
}

/* --- gates on the tape against central differences of a double version --- */

enum { ROWS = 3, COLS = 5, N = ROWS * COLS };

typedef enum { GLU, BILINEAR, REGLU, GEGLU, SWIGLU, GATES } GateKind;

static Tensor *(*const gates[GATES])(Tape *, Tensor *,
                                     Tensor *) = {glu, bilinear, reglu, geglu, swiglu};

typedef struct {
    GateKind kind;
    Tensor *gate, *up;
} Context;

static void plain_gate(double *out, const double *const *in, void *context) {
    GateKind kind = ((const Context *)context)->kind;
    for (size_t i = 0; i < N; i++) {
        double g = in[0][i], f = g;
        if (kind == GLU) f = 1 / (1 + exp(-g));
        if (kind == REGLU) f = fmax(g, 0);
        if (kind == GEGLU) f = 0.5 * g * (1 + erf(g / sqrt(2)));
        if (kind == SWIGLU) f = g / (1 + exp(-g));
        out[i] = f * in[1][i];
    }
}

static Tensor *run(Tape *t, void *context) {
    const Context *c = context;
    return gates[c->kind](t, c->gate, c->up);
}

static void check_gate(GateKind kind) {
    Params params = {.mode = PARAMS_TRAIN};
    Context c = {kind, params_add(&params, 2, (size_t[]){ROWS, COLS}, "gate"),
                 params_add(&params, 2, (size_t[]){ROWS, COLS}, "up")};
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain_gate,
        .context = &c,
        .of = {{"dgate", c.gate}, {"dup", c.up}},
        .std = 1.5,
    });
    params_free(&params);
}

Test(gates, gradients, .timeout = 10) {
    for (GateKind kind = GLU; kind < GATES; kind++) check_gate(kind);
}

static void gate_of_other_shape(void *argument) {
    (void)argument;
    Tape t = tape_create(1);
    float x[6] = {0};
    glu(&t, tape_input(&t, 2, (size_t[]){2, 3}, x),
        tape_input(&t, 2, (size_t[]){3, 2}, x));
}

Test(gates, refuse_different_shapes, .timeout = 10) {
    expect_exit(EXIT_INPUT, "glu", gate_of_other_shape, NULL);
}
