/* Tests of the stack: gradients against a plain double version, parameters, names, what
 * it refuses. */
#include "02-pre-ln-vs-post-ln/stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"

enum { D = 4, HIDDEN = 6, DEPTH = 2, OUT = 3, ROWS = 2 };

static StackConfig config(Placement placement) {
    return (StackConfig){.d_model = D,
                         .d_hidden = HIDDEN,
                         .depth = DEPTH,
                         .placement = placement,
                         .n_out = OUT};
}

/* All parameters one after the other, in the order in which they were registered. */
typedef struct {
    Placement placement;
    const double *x, *weights; /* input [ROWS, D]; weights of the scalar [ROWS, OUT] */
} Context;

static const double *plain_layernorm(double *x, const double *p) {
    double mean = 0, variance = 0;
    for (size_t i = 0; i < D; i++) mean += x[i] / D;
    for (size_t i = 0; i < D; i++) variance += (x[i] - mean) * (x[i] - mean) / D;
    for (size_t i = 0; i < D; i++)
        x[i] = (x[i] - mean) / sqrt(variance + 1e-5) * p[i] + p[D + i];
    return p + 2 * D;
}

static const double *plain_linear(double *out, const double *x, const double *p,
                                  size_t n_in, size_t n_out) {
    for (size_t o = 0; o < n_out; o++) {
        out[o] = p[n_in * n_out + o];
        for (size_t i = 0; i < n_in; i++) out[o] += x[i] * p[i * n_out + o];
    }
    return p + (n_in + 1) * n_out;
}

static double scalar(const double *params, size_t n, void *context) {
    const Context *c = context;
    double sum = 0;
    (void)n;
    for (size_t r = 0; r < ROWS; r++) {
        double x[D], in[D], hidden[HIDDEN], branch[D], out[OUT];
        const double *p = params;
        memcpy(x, c->x + r * D, sizeof x);
        for (size_t l = 0; l < DEPTH; l++) {
            const double *norm = p;
            memcpy(in, x, sizeof in);
            if (c->placement == PRE_LN) plain_layernorm(in, norm);
            p = plain_linear(hidden, in, p + 2 * D, D, HIDDEN);
            for (size_t i = 0; i < HIDDEN; i++) hidden[i] = fmax(hidden[i], 0);
            p = plain_linear(branch, hidden, p, HIDDEN, D);
            for (size_t i = 0; i < D; i++) x[i] += branch[i];
            if (c->placement == POST_LN) plain_layernorm(x, norm);
        }
        if (c->placement == PRE_LN) p = plain_layernorm(x, p);
        plain_linear(out, x, p, D, OUT);
        for (size_t o = 0; o < OUT; o++) sum += out[o] * c->weights[r * OUT + o];
    }
    return sum;
}

/* Copies data or gradients of all parameters. */
static double *flat(const Params *params, bool grad) {
    double *all = checked_alloc(params_count(params), sizeof *all), *next = all;
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *p = params->items[i].tensor;
        for (size_t j = 0; j < tensor_size(p); j++)
            *next++ = (double)(grad ? p->grad : p->data)[j];
    }
    return all;
}

static void check_gradient(Placement placement) {
    Params params = {.mode = PARAMS_TRAIN};
    Random init = random_create(3);
    Stack s = stack_create(&params, &init, config(placement));
    size_t n = params_count(&params);
    /* gains and biases off their 1 and 0, so that they matter */
    for (size_t i = 0; i < params.n; i++) {
        Tensor *p = params.items[i].tensor;
        for (size_t j = 0; j < tensor_size(p); j++)
            p->data[j] += 0.2f * (float)random_normal(&init);
    }
    float *x = normal_floats(ROWS * D, 1, 4),
          *weights = normal_floats(ROWS * OUT, 1, 5);
    Tape t = tape_create(1);
    Tensor *out = stack(&t, &s, tape_input(&t, 2, (size_t[]){ROWS, D}, x));
    Tensor *sum = tape_weighted_sum(&t, out, weights);
    tape_backward(&t, sum);

    Context context = {placement, as_double(x, ROWS * D),
                       as_double(weights, ROWS * OUT)};
    double *values = flat(&params, false), *got = flat(&params, true),
           *expected = checked_alloc(n, sizeof *expected);
    CHECK_NUMBER("the output", sum->data[0], scalar(values, n, &context), 1e-5);
    numeric_gradient(expected, scalar, values, n, 1e-5, &context);
    float *got_float = checked_alloc(n, sizeof *got_float);
    for (size_t i = 0; i < n; i++) got_float[i] = (float)got[i];
    CHECK_CLOSE(placement_name(placement), got_float, expected, n, 1e-5);
}

Test(stack, gradients_post_ln, .timeout = 10) {
    check_gradient(POST_LN);
}

Test(stack, gradients_pre_ln, .timeout = 10) {
    check_gradient(PRE_LN);
}

Test(stack, parameters, .timeout = 10) {
    size_t mlp = D * HIDDEN + HIDDEN + HIDDEN * D + D, head = D * OUT + OUT;
    Random init = random_create(1);
    Params post = {.mode = PARAMS_TRAIN}, pre = {.mode = PARAMS_TRAIN},
           bare = {.mode = PARAMS_TRAIN};
    Stack s = stack_create(&post, &init, config(POST_LN));
    CHECK(params_count(&post) == DEPTH * (mlp + 2 * D) + head,
          "post-LN has %zu parameters", params_count(&post));
    CHECK(!s.final_norm.forward, "a post-LN stack needs no final norm");
    s = stack_create(&pre, &init, config(PRE_LN));
    CHECK(params_count(&pre) == DEPTH * (mlp + 2 * D) + 2 * D + head,
          "pre-LN has %zu parameters", params_count(&pre));
    CHECK(params_find(&pre, "h.1.mlp.c_proj.weight") &&
              params_find(&pre, "ln_f.weight"),
          "names are missing");
    StackConfig without = config(PRE_LN);
    without.without_norms = true;
    without.n_out = 0;
    s = stack_create(&bare, &init, without);
    CHECK(params_count(&bare) == DEPTH * mlp,
          "without norms and head there are %zu parameters", params_count(&bare));
    CHECK(!s.residuals[0].norm.forward && !s.final_norm.forward,
          "norms are there although not wanted");
}

/* The branches' mean square is that of their input, so a pre-LN stream grows by about 1
 * a layer. */
Test(stack, stream, .timeout = 10) {
    enum { WIDTH = 128, LAYERS = 8, MANY = 64 };
    Params params = {.mode = PARAMS_TRAIN};
    Random init = random_create(7);
    StackConfig wide = {
        .d_model = WIDTH, .d_hidden = 4 * WIDTH, .depth = LAYERS, .placement = PRE_LN};
    Stack s = stack_create(&params, &init, wide);
    Tape t = tape_create(1);
    Tensor *stream[LAYERS + 1], *x = tape_input(&t, 2, (size_t[]){MANY, WIDTH},
                                                normal_floats(MANY * WIDTH, 1, 8));
    Tensor *out = stack_with_stream(&t, &s, x, stream);
    CHECK(stream[0] == x, "stream[0] is not the input");
    double head_input = tensor_mean_square(out);
    CHECK(fabs(head_input - 1) < 1e-3,
          "behind the final norm the mean square is %.3f, expected 1: without that "
          "norm the head gets the "
          "stream",
          head_input);
    for (size_t l = 0; l <= LAYERS; l++) {
        double mean = tensor_mean_square(stream[l]), expected = 1 + (double)l;
        CHECK(fabs(mean / expected - 1) < 0.2,
              "the mean square behind layer %zu is %.3f, expected about %.0f", l, mean,
              expected);
    }
}

static void wrong_width(void *argument) {
    (void)argument;
    Params params = {.mode = PARAMS_TRAIN};
    Random init = random_create(1);
    Stack s = stack_create(&params, &init, config(PRE_LN));
    Tape t = tape_create(1);
    float x[2 * (D + 1)] = {0};
    stack(&t, &s, tape_input(&t, 2, (size_t[]){2, D + 1}, x));
}

Test(stack, refuses_a_wrong_width, .timeout = 10) {
    expect_exit(EXIT_INPUT, "stack: x is [2, 5], expected a last axis of 4",
                wrong_width, NULL);
}
