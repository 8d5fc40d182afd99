/* Tests of the multi-head layer: PyTorch's numbers and gradients,
 * weights to look at, dropout, wrong shapes. */
#include "07-attention/attention.h"

#include <math.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "check/layer_gradient.h"
#include "base/memory.h"

/* PyTorch stores a linear layer's weight as [out, in], we as [in, out]. */
static double *transposed(const double *w, size_t rows, size_t cols) {
    double *out = checked_alloc(rows * cols, sizeof *out);
    for (size_t i = 0; i < rows * cols; i++) out[i % cols * rows + i / cols] = w[i];
    return out;
}

static void set(Tensor *x, const double *values) {
    for (size_t i = 0; i < tensor_size(x); i++) x->data[i] = (float)values[i];
}

static Attention golden_attention(Params *params, const char *name, size_t dim,
                                  AttentionKind kind) {
    AttentionConfig config = {.d_model = dim,
                              .n_head =
                                  (size_t)golden_attr("attention", name, "n_head"),
                              .causal = golden_attr("attention", name, "causal") != 0,
                              .qkv_bias = true,
                              .proj_bias = true,
                              .kind = kind};
    Attention a = attention_create(params, NULL, &config, 0, 0, "attn");
    set(a.c_attn.weight,
        transposed(golden("attention", name, "w_qkv", NULL), 3 * dim, dim));
    set(a.c_attn.bias, golden("attention", name, "b_qkv", NULL));
    set(a.c_proj.weight, transposed(golden("attention", name, "w_o", NULL), dim, dim));
    set(a.c_proj.bias, golden("attention", name, "b_o", NULL));
    return a;
}

static void golden_case(const char *name, AttentionKind kind, double tolerance) {
    size_t shape[SAFETENSORS_MAX_NDIM], n;
    golden_shape("attention", name, "x", shape);
    size_t dim = shape[2];
    Tape t = tape_create(1);
    Params params = {.mode = PARAMS_TRAIN};
    Attention a = golden_attention(&params, name, dim, kind);
    Tensor *x = tape_tensor(&t, 3, shape, true), *weights;
    set(x, golden("attention", name, "x", &n));

    Tensor *y = kind == ATTENTION_PLAIN ? attention_with_weights(&t, &a, x, &weights)
                                        : attention(&t, &a, x);
    CHECK_CLOSE(name, y->data, golden("attention", name, "y", NULL), n, tolerance);
    if (kind == ATTENTION_PLAIN && golden_has("attention", name, "att")) {
        CHECK_CLOSE("weights", weights->data, golden("attention", name, "att", NULL),
                    tensor_size(weights), tolerance);
    }
    tape_backward(
        &t, tape_weighted_sum(&t, y, golden_float("attention", name, "dy", NULL)));
    CHECK_CLOSE("dx", x->grad, golden("attention", name, "dx", NULL), n, tolerance);
    CHECK_CLOSE("gradient of c_attn.weight", a.c_attn.weight->grad,
                transposed(golden("attention", name, "dw_qkv", NULL), 3 * dim, dim),
                3 * dim * dim, tolerance);
    CHECK_CLOSE("gradient of c_attn.bias", a.c_attn.bias->grad,
                golden("attention", name, "db_qkv", NULL), 3 * dim, tolerance);
    CHECK_CLOSE("gradient of c_proj.weight", a.c_proj.weight->grad,
                transposed(golden("attention", name, "dw_o", NULL), dim, dim),
                dim * dim, tolerance);
    CHECK_CLOSE("gradient of c_proj.bias", a.c_proj.bias->grad,
                golden("attention", name, "db_o", NULL), dim, tolerance);
}

Test(attention, equals_pytorch, .timeout = 10) {
    for (AttentionKind kind = ATTENTION_PLAIN; kind <= ATTENTION_ONLINE; kind++) {
        golden_case("causal_h2", kind, 1e-5);
        golden_case("causal_h4", kind, 1e-5);
        golden_case("full_h2", kind, 1e-5);
        golden_case("single_position", kind, 1e-5);
        golden_case("peaked", kind, 1e-4);
    }
}

enum { B = 2, T = 5, C = 6, SIZE = B * T * C };

static Attention random_attention(Params *params, float dropout) {
    Random init = random_create(3);
    AttentionConfig config = {.d_model = C,
                              .n_head = 3,
                              .causal = true,
                              .qkv_bias = true,
                              .proj_bias = true,
                              .dropout = dropout};
    return attention_create(params, &init, &config, 0.5f, 0.5f, "attn");
}

typedef struct {
    const Attention *a;
    Tensor *x;
} WithInput;

static Tensor *run_attention(Tape *t, void *context) {
    const WithInput *c = context;
    return attention(t, c->a, c->x);
}

/* The same seed draws the same mask, so the output with dropout is a function of x,
 * and can be differenced - of a float forward pass, so coarsely. */
static void output_with_dropout(double *out, const double *const *in, void *context) {
    Tape t = tape_create(1);
    t.recording = false;
    Tensor *input = tape_tensor(&t, 3, (size_t[]){B, T, C}, false);
    set(input, in[0]);
    Tensor *y = attention(&t, ((const WithInput *)context)->a, input);
    for (size_t i = 0; i < SIZE; i++) out[i] = (double)y->data[i];
    tape_free(&t);
}

Test(attention, dropout_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN}, inputs = {.mode = PARAMS_TRAIN};
    Attention a = random_attention(&params, 0.3f);
    WithInput c = {&a, params_add(&inputs, 3, (size_t[]){B, T, C}, "x")};
    check_layer_gradient(&(LayerGradient){
        .layer = run_attention,
        .plain = output_with_dropout,
        .context = &c,
        .of = {{"dx", c.x}},
        .step = 3e-3,
        .tolerance = 2e-3,
    });
}

/* Both kinds draw the same mask, so that a training with dropout may change its
 * kind. */
Test(attention, online_equals_plain_with_dropout, .timeout = 10) {
    float *x = normal_floats(SIZE, 1, 4), *dout = normal_floats(SIZE, 1, 5);
    double *out = NULL, *gradient = NULL;
    for (AttentionKind kind = ATTENTION_PLAIN; kind <= ATTENTION_ONLINE; kind++) {
        Params params = {.mode = PARAMS_TRAIN};
        Attention a = random_attention(&params, 0.3f);
        a.config.kind = kind;
        Tape t = tape_create(1);
        Tensor *y = attention(&t, &a, tape_input(&t, 3, (size_t[]){B, T, C}, x));
        tape_backward(&t, tape_weighted_sum(&t, y, dout));
        if (kind == ATTENTION_PLAIN) {
            out = as_double(y->data, SIZE);
            gradient = as_double(a.c_attn.weight->grad, C * 3 * C);
        } else {
            CHECK_CLOSE("online out", y->data, out, SIZE, 1e-6);
            CHECK_CLOSE("gradient of c_attn.weight", a.c_attn.weight->grad, gradient,
                        C * 3 * C, 1e-6);
        }
    }
}

/* The positions after 2 change: 0 to 2 keep their bits. */
Test(attention, neither_kind_sees_the_future, .timeout = 10) {
    enum { SEEN = 3 * C };
    for (AttentionKind kind = ATTENTION_PLAIN; kind <= ATTENTION_ONLINE; kind++) {
        Params params = {.mode = PARAMS_TRAIN};
        Attention a = random_attention(&params, 0);
        a.config.kind = kind;
        float *x = normal_floats(T * C, 1, 4);
        Tape t = tape_for_inference();
        const Tensor *before =
            attention(&t, &a, tape_input(&t, 3, (size_t[]){1, T, C}, x));
        for (size_t i = SEEN; i < T * C; i++) x[i] *= -3.0f;
        const Tensor *after =
            attention(&t, &a, tape_input(&t, 3, (size_t[]){1, T, C}, x));
        cr_assert_eq(memcmp(before->data, after->data, SEEN * sizeof(float)), 0);
        CHECK(memcmp(before->data + SEEN, after->data + SEEN, C * sizeof(float)) != 0,
              "position 3 did not notice its own change");
    }
}

/* With the weights asked for, the plain kind runs and gives them. */
Test(attention, online_has_weights_when_asked, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Attention a = random_attention(&params, 0);
    float *x = normal_floats(SIZE, 1, 4);
    Tape t = tape_create(1);
    Tensor *input = tape_input(&t, 3, (size_t[]){B, T, C}, x), *weights;
    Tensor *plain = attention(&t, &a, input);
    a.config.kind = ATTENTION_ONLINE;
    Tensor *watched = attention_with_weights(&t, &a, input, &weights);
    cr_assert_eq(memcmp(plain->data, watched->data, SIZE * sizeof(float)), 0);
    for (size_t row = 0; row < B * 3 * T; row++) {
        double sum = 0;
        for (size_t s = 0; s < T; s++) sum += (double)weights->data[row * T + s];
        CHECK(fabs(sum - 1) < 1e-6, "the weights of row %zu sum to %g", row, sum);
    }
}

/* In evaluation there is no dropout, and inference keeps nothing but the outputs;
 * the numbers are the same. */
Test(attention, inference_equals_evaluation, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN}, plain = {.mode = PARAMS_TRAIN};
    Attention a = random_attention(&params, 0.3f),
              without = random_attention(&plain, 0);
    float *x = normal_floats(SIZE, 1, 4);
    Tape t = tape_create(1), u = tape_for_inference();
    t.training = false;
    Tensor *evaluated = attention(&t, &a, tape_input(&t, 3, (size_t[]){B, T, C}, x));
    Tensor *inferred =
        attention(&u, &without, tape_input(&u, 3, (size_t[]){B, T, C}, x));
    cr_assert_eq(memcmp(evaluated->data, inferred->data, SIZE * sizeof(float)), 0);
    cr_assert_eq(u.n_nodes, 0);
    cr_assert_lt(u.arena.total, t.arena.total,
                 "inference keeps %zu bytes, recording %zu", u.arena.total,
                 t.arena.total);
}

/* A second backward pass adds: the working memory is cleared between them. */
Test(attention, gradients_add_up, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Attention a = random_attention(&params, 0);
    float *x = normal_floats(SIZE, 1, 4), *dout = normal_floats(SIZE, 1, 5);
    double *once = NULL;
    for (int pass = 0; pass < 2; pass++) {
        Tape t = tape_create(1);
        tape_backward(
            &t, tape_weighted_sum(
                    &t, attention(&t, &a, tape_input(&t, 3, (size_t[]){B, T, C}, x)),
                    dout));
        if (pass == 0) once = as_double(a.c_attn.weight->grad, C * 3 * C);
    }
    for (size_t i = 0; i < C * 3 * C; i++) once[i] *= 2;
    CHECK_CLOSE("twice the gradient of c_attn.weight", a.c_attn.weight->grad, once,
                C * 3 * C, 1e-6);
}

static void run(void *shape) {
    Params params = {.mode = PARAMS_TRAIN};
    Attention a = random_attention(&params, 0);
    Tape t = tape_create(1);
    float x[SIZE] = {0};
    attention(&t, &a, tape_input(&t, 3, shape, x));
}

static void create(void *config) {
    Params params = {.mode = PARAMS_TRAIN};
    attention_create(&params, NULL, config, 0, 0, "h.0.attn");
}

Test(attention, refuses_wrong_shapes, .timeout = 10) {
    expect_exit(0, "", run, (size_t[]){B, T, C});
    expect_exit(EXIT_INPUT, "attention: x is [2, 6, 5], expected [B, T, 6]", run,
                (size_t[]){2, 6, 5});
    expect_exit(EXIT_INPUT, "'h.0.attn': d_model 10 is not a multiple of n_head 3",
                create, &(AttentionConfig){.d_model = 10, .n_head = 3});
    expect_exit(EXIT_INPUT, "n_head 0", create,
                &(AttentionConfig){.d_model = 10, .n_head = 0});
}
