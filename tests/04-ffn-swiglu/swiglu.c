/* Tests of exercise 04/swiglu: PyTorch's numbers, and inputs that tell the gates
 * apart. */
#include "04-ffn-swiglu/swiglu.h"
#include "04-ffn-swiglu/swiglu_layer.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

enum { N = 37 };

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* See known.h. dout may be NULL. */
static void know_pass(const float *dout, const float *gate, const float *up, size_t n) {
    double *silu = checked_alloc(n, sizeof *silu),
           *opened = checked_alloc(n, sizeof *opened),
           *closed = checked_alloc(n, sizeof *closed);
    for (size_t i = 0; i < n; i++) {
        opened[i] = sigmoid((double)gate[i]);
        closed[i] = 1 - opened[i];
        silu[i] = (double)gate[i] * opened[i];
    }
    AXES({"element", "n", n});
    KNOW(gate, "element");
    KNOW(up, "element");
    KNOW(dout, "element");
    KNOW_AS("silu(gate)", silu, "element");
    KNOW_AS("sigmoid(gate)", opened, "element");
    KNOW_AS("(1 - sigmoid(gate))", closed, "element");
    if (!dout) return;
    double *first = checked_alloc(n, sizeof *first),
           *second = checked_alloc(n, sizeof *second);
    for (size_t i = 0; i < n; i++) {
        first[i] = (double)dout[i] * (double)up[i] * opened[i];
        second[i] = (double)dout[i] * (double)up[i] * silu[i] * closed[i];
    }
    KNOW_AS("dout * up * sigmoid(gate)", first, "element");
    KNOW_AS("dout * up * silu(gate) (1 - sigmoid(gate))", second, "element");
}

typedef enum { RIGHT, SWAPPED, GLU, BOTH, OUTSIDE, NO_GATE } Variation;

static double plain(double gate, double up, Variation v) {
    switch (v) {
    case RIGHT:
        return gate * sigmoid(gate) * up;
    case SWAPPED:
        return gate * up * sigmoid(up);
    case GLU:
        return sigmoid(gate) * up;
    case BOTH:
        return gate * sigmoid(gate) * up * sigmoid(up);
    case OUTSIDE:
        return gate * up * sigmoid(gate * up);
    case NO_GATE:
        return gate * sigmoid(gate);
    }
    return NAN;
}

static const double *all(const float *gate, const float *up, Variation v) {
    double *out = checked_alloc(N, sizeof *out);
    for (size_t i = 0; i < N; i++) out[i] = plain((double)gate[i], (double)up[i], v);
    return out;
}

Test(swiglu, forward_gate_and_up, .timeout = 10) {
    float *gate = normal_floats(N, 2, 1), *up = normal_floats(N, 2, 2),
          *out = nan_floats(N);
    swiglu_forward(out, gate, up, N);
    know_pass(NULL, gate, up, N);
    CHECK_CLOSE(
        "out", out, all(gate, up, RIGHT), N, 1e-6,
        {"gate and up are swapped: SiLU belongs to gate", all(gate, up, SWAPPED)},
        {"sigmoid(gate) * up is computed: that is GLU, without the factor gate",
         all(gate, up, GLU)},
        {"SiLU is applied to both", all(gate, up, BOTH)},
        {"SiLU is applied to the product", all(gate, up, OUTSIDE)},
        {"up is left out", all(gate, up, NO_GATE)});
}

/* A closed gate, an open one, and large numbers. */
Test(swiglu, forward_by_hand, .timeout = 10) {
    float gate[] = {0.0f, -100.0f, 100.0f, 1.0f, -1e4f, 1e4f},
          up[] = {5.0f, 5.0f, 5.0f, -2.0f, 1.0f, 1.0f};
    double expected[] = {0, 0, 500, -1.4621171572600098, 0, 1e4};
    float *out = nan_floats(6);
    swiglu_forward(out, gate, up, 4);
    know_pass(NULL, gate, up, 4);
    CHECK_CLOSE("out", out, expected, 4, 1e-6);
    CHECK(isnan(out[4]), "swiglu_forward(out, gate, up, 4) wrote out[4]");
    swiglu_forward(out, gate, up, 6);
    know_pass(NULL, gate, up, 6);
    CHECK_CLOSE("out", out, expected, 6, 1e-6);
}

typedef enum {
    WHOLE,
    SIGMOID_SLOPE,
    CONSTANT_SIGMOID,
    NO_OTHER,
    GLU_UP,
    NOT_OF_SILU,
    SIGMOID_OF_UP
} SlopeVariation;

static const double *plain_dgate(const float *dout, const float *gate, const float *up,
                                 SlopeVariation v) {
    double *d = checked_alloc(N, sizeof *d);
    for (size_t i = 0; i < N; i++) {
        double g = (double)gate[i], s = sigmoid(v == SIGMOID_OF_UP ? (double)up[i] : g),
               slope = s * (1 + g * (1 - s));
        if (v == SIGMOID_SLOPE) slope = s * (1 - s);
        if (v == CONSTANT_SIGMOID) slope = s;
        if (v == NOT_OF_SILU) slope = g * s + s * (1 - s);
        d[i] = (double)dout[i] * slope * (v == NO_OTHER ? 1 : (double)up[i]);
    }
    return d;
}

static const double *plain_dup(const float *dout, const float *gate, SlopeVariation v) {
    double *d = checked_alloc(N, sizeof *d);
    for (size_t i = 0; i < N; i++) {
        double g = (double)gate[i], s = sigmoid(g);
        d[i] = (double)dout[i] * (v == GLU_UP ? s : v == NO_OTHER ? 1 : g * s);
    }
    return d;
}

Test(swiglu, backward_terms, .timeout = 10) {
    float *gate = normal_floats(N, 2, 3), *up = normal_floats(N, 2, 4),
          *dout = normal_floats(N, 1, 5);
    float *dgate = ones_and_a_half(N), *dup = ones_and_a_half(N);
    swiglu_backward(dgate, dup, dout, gate, up, N);
    know_pass(dout, gate, up, N);
    CHECK_ADDED(
        "dgate", dgate, plain_dgate(dout, gate, up, WHOLE), N, 1e-5,
        {"the slope of sigmoid stands for the slope of silu",
         plain_dgate(dout, gate, up, SIGMOID_SLOPE)},
        {"sigmoid(gate) is taken as a constant",
         plain_dgate(dout, gate, up, CONSTANT_SIGMOID)},
        {"the slope is silu + s (1 - s), s = sigmoid(gate): it is silu + s (1 - silu), "
         "or s (1 + gate (1 - "
         "s))",
         plain_dgate(dout, gate, up, NOT_OF_SILU)},
        {"the factor up is left out of dgate", plain_dgate(dout, gate, up, NO_OTHER)},
        {"the sigmoid is that of up: it is of gate",
         plain_dgate(dout, gate, up, SIGMOID_OF_UP)});
    CHECK_ADDED(
        "dup", dup, plain_dup(dout, gate, WHOLE), N, 1e-5,
        {"dup has sigmoid(gate) in the place of silu(gate)",
         plain_dup(dout, gate, GLU_UP)},
        {"the factor silu(gate) is left out of dup", plain_dup(dout, gate, NO_OTHER)});
}

/* A gradient that is not wanted is NULL; the other is the same. */
Test(swiglu, backward_of_one_alone, .timeout = 10) {
    float *gate = normal_floats(N, 2, 6), *up = normal_floats(N, 2, 7),
          *dout = normal_floats(N, 1, 8);
    float *dgate = ones_and_a_half(N), *dup = ones_and_a_half(N);
    crash_means("dup is written to though it is NULL");
    swiglu_backward(dgate, NULL, dout, gate, up, N);
    crash_means("dgate is written to though it is NULL");
    swiglu_backward(NULL, dup, dout, gate, up, N);
    know_pass(dout, gate, up, N);
    CHECK_ADDED("dgate (dup is NULL)", dgate, plain_dgate(dout, gate, up, WHOLE), N,
                1e-5);
    CHECK_ADDED("dup (dgate is NULL)", dup, plain_dup(dout, gate, WHOLE), N, 1e-5);
}

/* A factor that is 0 leaves the gradient of the other one alone. */
Test(swiglu, zeros_take_part, .timeout = 10) {
    float *gate = normal_floats(N, 2, 9), *up = normal_floats(N, 2, 10),
          *dout = normal_floats(N, 1, 11);
    float *dgate = ones_and_a_half(N), *dup = ones_and_a_half(N);
    for (size_t i = 0; i < N; i++) {
        gate[i] *= i % 5 != 0;
        up[i] *= i % 3 != 0;
    }
    swiglu_backward(dgate, dup, dout, gate, up, N);
    know_pass(dout, gate, up, N);
    CHECK_ADDED("dgate where every fifth gate is 0", dgate,
                plain_dgate(dout, gate, up, WHOLE), N, 1e-5);
    CHECK_ADDED("dup where every third up is 0", dup, plain_dup(dout, gate, WHOLE), N,
                1e-5);
}

/* c [m, n] = a [m, k] b, or b transposed where b is [n, k]: the products around the
 * gate, in double. */
static double *product(const double *a, const double *b, size_t m, size_t n, size_t k,
                       bool transposed) {
    double *c = checked_alloc(m * n, sizeof *c);
    for (size_t i = 0; i < m; i++) {
        for (size_t j = 0; j < n; j++) {
            for (size_t p = 0; p < k; p++)
                c[i * n + j] += a[i * k + p] * b[transposed ? j * k + p : p * n + j];
        }
    }
    return c;
}

static float *as_float(const double *x, size_t n) {
    float *copy = checked_alloc(n, sizeof *copy);
    for (size_t i = 0; i < n; i++) copy[i] = (float)x[i];
    return copy;
}

/* PyTorch's SwiGLU FFN: x [rows, D], w_gate and w_up [FF, D], w_down [D, FF]. */
Test(swiglu, ffn_equals_pytorch, .timeout = 10) {
    enum { D = 8, FF = 20 };
    size_t size;
    const double *x = golden("glu", "swiglu", "x", &size),
                 *dy = golden("glu", "swiglu", "dy", NULL);
    const double *w_gate = golden("glu", "swiglu", "w_gate", NULL),
                 *w_up = golden("glu", "swiglu", "w_up", NULL);
    const double *w_down = golden("glu", "swiglu", "w_down", NULL);
    size_t rows = size / D, n = rows * FF;
    float *gate = as_float(product(x, w_gate, rows, FF, D, true), n);
    float *up = as_float(product(x, w_up, rows, FF, D, true), n);

    float *hidden = nan_floats(n);
    swiglu_forward(hidden, gate, up, n);
    double *y = product(as_double(hidden, n), w_down, rows, D, FF, true);
    CHECK_CLOSE("the output of the FFN", as_float(y, size),
                golden("glu", "swiglu", "y", NULL), size, 1e-5);

    float *dhidden = as_float(product(dy, w_down, rows, FF, D, false), n);
    float *dgate = checked_alloc(n, sizeof *dgate),
          *dup = checked_alloc(n, sizeof *dup);
    swiglu_backward(dgate, dup, dhidden, gate, up, n);
    double *dx = product(as_double(dgate, n), w_gate, rows, D, FF, false);
    double *more = product(as_double(dup, n), w_up, rows, D, FF, false);
    for (size_t i = 0; i < size; i++) dx[i] += more[i];
    CHECK_CLOSE("dx of the FFN", as_float(dx, size),
                golden("glu", "swiglu", "dx", NULL), size, 1e-5);
}
