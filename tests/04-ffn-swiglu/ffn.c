/* Tests of the feed-forward network: every kind against PyTorch, biases by central
 * differences, counts. */
#include "04-ffn-swiglu/ffn.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "check/layer_gradient.h"
#include "base/memory.h"

enum { D = 8, FF = 20 };

/* weight [in, out] = PyTorch's [out, in], the other way round. */
static void load_transposed(Tensor *weight, const double *torch) {
    size_t n_in = weight->shape[0], n_out = weight->shape[1];
    for (size_t i = 0; i < n_in; i++) {
        for (size_t o = 0; o < n_out; o++)
            weight->data[i * n_out + o] = (float)torch[o * n_in + i];
    }
}

static void check_transposed(const char *what, const Tensor *weight,
                             const double *torch) {
    size_t n_in = weight->shape[0], n_out = weight->shape[1];
    double *expected = checked_alloc(n_in * n_out, sizeof *expected);
    for (size_t i = 0; i < n_in; i++) {
        for (size_t o = 0; o < n_out; o++)
            expected[i * n_out + o] = torch[o * n_in + i];
    }
    CHECK_CLOSE(what, weight->grad, expected, n_in * n_out, 1e-5);
}

static void check_kind(FfnKind kind, const char *name) {
    bool gated = ffn_is_gated(kind);
    const char *family = gated ? "glu" : "ffn";
    const char *up_name = gated ? "w_up" : "w1", *down_name = gated ? "w_down" : "w2";
    Params params = {.mode = PARAMS_TRAIN};
    Ffn f = ffn_create(
        &params, NULL,
        &(FfnConfig){.kind = kind, .d_model = D, .d_ff = FF, .has_bias = !gated},
        "mlp");
    load_transposed(f.up.weight, golden(family, name, up_name, NULL));
    load_transposed(f.down.weight, golden(family, name, down_name, NULL));
    if (gated) load_transposed(f.gate.weight, golden(family, name, "w_gate", NULL));
    if (!gated) {
        memcpy(f.up.bias->data, golden_float(family, name, "b1", NULL),
               FF * sizeof(float));
        memcpy(f.down.bias->data, golden_float(family, name, "b2", NULL),
               D * sizeof(float));
    }
    size_t size;
    const float *values = golden_float(family, name, "x", &size);
    Tensor *x = params_add(&params, 3, (size_t[]){2, 5, D}, "x");
    memcpy(x->data, values, size * sizeof(float));

    Tape t = tape_create(1);
    Tensor *y = ffn(&t, &f, x);
    CHECK_CLOSE(name, y->data, golden(family, name, "y", NULL), size, 1e-5);
    tape_backward(&t, tape_weighted_sum(&t, y, golden_float(family, name, "dy", NULL)));
    CHECK_CLOSE("dx", x->grad, golden(family, name, "dx", NULL), size, 1e-5);
    check_transposed("the gradient of c_fc", f.up.weight,
                     golden(family, name, gated ? "dw_up" : "dw1", NULL));
    check_transposed("the gradient of c_proj", f.down.weight,
                     golden(family, name, gated ? "dw_down" : "dw2", NULL));
    if (gated)
        check_transposed("the gradient of c_gate", f.gate.weight,
                         golden(family, name, "dw_gate", NULL));
    if (!gated) {
        CHECK_CLOSE("the gradient of c_fc.bias", f.up.bias->grad,
                    golden(family, name, "db1", NULL), FF, 1e-5);
        CHECK_CLOSE("the gradient of c_proj.bias", f.down.bias->grad,
                    golden(family, name, "db2", NULL), D, 1e-5);
    }
    params_free(&params);
    tape_free(&t);
}

Test(ffn, equals_pytorch, .timeout = 10) {
    check_kind(FFN_RELU, "relu");
    check_kind(FFN_GELU_TANH, "gelu_tanh");
    check_kind(FFN_GELU_ERF, "gelu_erf");
    check_kind(FFN_SILU, "silu");
    check_kind(FFN_GLU, "glu");
    check_kind(FFN_BILINEAR, "bilinear");
    check_kind(FFN_REGLU, "reglu");
    check_kind(FFN_GEGLU, "geglu");
    check_kind(FFN_SWIGLU, "swiglu");
}

/* --- biases of a gated FFN, which the golden numbers do not have --- */

enum { ROWS = 2, IN = 3, WIDE = 4 };
enum { X, UP, UP_BIAS, GATE, GATE_BIAS, DOWN, DOWN_BIAS };

static void plain_swiglu(double *out, const double *const *in, void *context) {
    (void)context;
    for (size_t r = 0; r < ROWS; r++) {
        double hidden[WIDE];
        for (size_t j = 0; j < WIDE; j++) {
            double up = in[UP_BIAS][j], gate = in[GATE_BIAS][j];
            for (size_t i = 0; i < IN; i++) {
                up += in[X][r * IN + i] * in[UP][i * WIDE + j];
                gate += in[X][r * IN + i] * in[GATE][i * WIDE + j];
            }
            hidden[j] = gate / (1 + exp(-gate)) * up;
        }
        for (size_t o = 0; o < IN; o++) {
            out[r * IN + o] = in[DOWN_BIAS][o];
            for (size_t j = 0; j < WIDE; j++)
                out[r * IN + o] += hidden[j] * in[DOWN][j * IN + o];
        }
    }
}

typedef struct {
    const Ffn *ffn;
    Tensor *x;
} WithInput;

static Tensor *run(Tape *t, void *context) {
    const WithInput *c = context;
    return ffn(t, c->ffn, c->x);
}

Test(ffn, gradient_with_biases, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Ffn f = ffn_create(
        &params, NULL,
        &(FfnConfig){.kind = FFN_SWIGLU, .d_model = IN, .d_ff = WIDE, .has_bias = true},
        "mlp");
    Tensor *x = params_add(&params, 2, (size_t[]){ROWS, IN}, "x");
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain_swiglu,
        .context = &(WithInput){&f, x},
        .of = {[X] = {"dx", x},
               [UP] = {"dc_fc", f.up.weight},
               [UP_BIAS] = {"dc_fc.bias", f.up.bias},
               [GATE] = {"dc_gate", f.gate.weight},
               [GATE_BIAS] = {"dc_gate.bias", f.gate.bias},
               [DOWN] = {"dc_proj", f.down.weight},
               [DOWN_BIAS] = {"dc_proj.bias", f.down.bias}},
        .std = 0.8,
    });
    params_free(&params);
}

/* relu(x)^2, which the golden numbers do not have either. */
static void plain_relu_squared(double *out, const double *const *in, void *context) {
    (void)context;
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t o = 0; o < IN; o++) out[r * IN + o] = 0;
        for (size_t j = 0; j < WIDE; j++) {
            double up = 0;
            for (size_t i = 0; i < IN; i++)
                up += in[X][r * IN + i] * in[UP][i * WIDE + j];
            for (size_t o = 0; o < IN && up > 0; o++)
                out[r * IN + o] += up * up * in[UP + 1][j * IN + o];
        }
    }
}

Test(ffn, gradient_of_relu_squared, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Ffn f = ffn_create(
        &params, NULL,
        &(FfnConfig){.kind = FFN_RELU_SQUARED, .d_model = IN, .d_ff = WIDE}, "mlp");
    Tensor *x = params_add(&params, 2, (size_t[]){ROWS, IN}, "x");
    check_layer_gradient(&(LayerGradient){
        .layer = run,
        .plain = plain_relu_squared,
        .context = &(WithInput){&f, x},
        .of = {[X] = {"dx", x},
               [UP] = {"dc_fc", f.up.weight},
               [UP + 1] = {"dc_proj", f.down.weight}},
        .std = 0.8,
    });
    params_free(&params);
}

static size_t count(FfnKind kind, size_t d_model, size_t d_ff) {
    Params params = {.mode = PARAMS_MAPPED};
    ffn_create(&params, NULL,
               &(FfnConfig){.kind = kind, .d_model = d_model, .d_ff = d_ff}, "mlp");
    size_t n = params_count(&params);
    params_free(&params);
    return n;
}

/* Three matrices of 2/3 the width: exactly as many weights as two of the whole
 * width. */
Test(ffn, gated_width_gives_equal_counts, .timeout = 10) {
    const size_t widths[] = {3, 768, 3072, 12288};
    for (size_t i = 0; i < 4; i++) {
        size_t plain = count(FFN_RELU, 64, widths[i]),
               gated = count(FFN_SWIGLU, 64, ffn_gated_width(widths[i]));
        CHECK(plain == gated, "d_ff %zu: %zu weights, gated %zu", widths[i], plain,
              gated);
    }
    CHECK(ffn_gated_width(4096) == 2730, "ffn_gated_width(4096) = %zu, expected 2730",
          ffn_gated_width(4096));
}

static void wrong_width(void *argument) {
    (void)argument;
    Params params = {.mode = PARAMS_TRAIN};
    Ffn f = ffn_create(
        &params, NULL,
        &(FfnConfig){.kind = FFN_RELU, .d_model = 4, .d_ff = 8, .has_bias = true},
        "mlp");
    Tape t = tape_create(1);
    float x[6] = {0};
    ffn(&t, &f, tape_input(&t, 2, (size_t[]){2, 3}, x));
}

Test(ffn, errors, .timeout = 10) {
    expect_exit(EXIT_INPUT, "ffn: x is [2, 3]", wrong_width, NULL);
}
