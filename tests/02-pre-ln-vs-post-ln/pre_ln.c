/* Tests of exercise 02/pre_ln: layers so plain that every wrong order of them gives
 * other whole numbers. */
#include "02-pre-ln-vs-post-ln/pre_ln.h"

#include "check/check.h"

/* The "norm" halves, the "sublayer" squares; each counts how often it runs, and expects
 * to be given what it is. */
static int norm_runs, sublayer_runs;
static const char NORM[] = "the norm", SUBLAYER[] = "the sublayer",
                  TENFOLD[] = "the join";

static void expect_self(const void *self, const char *name) {
    CHECK(self == name,
          "%s is called with another `self` than its own: layer_forward and "
          "join_forward pass it",
          name);
}

static Tensor *halve(Tape *t, const void *self, Tensor *x) {
    expect_self(self, NORM);
    norm_runs++;
    return tape_scale(t, x, 0.5f);
}

static Tensor *square(Tape *t, const void *self, Tensor *x) {
    expect_self(self, SUBLAYER);
    sublayer_runs++;
    return tape_mul(t, x, x);
}

/* 10 x + branch: which of the two is the stream shows. */
static Tensor *join_tenfold(Tape *t, const void *self, Tensor *x, Tensor *branch) {
    expect_self(self, TENFOLD);
    return tape_add(t, tape_scale(t, x, 10.0f), branch);
}

enum { N = 4 };
static const float X[N] = {1, 2, 3, -4};

static Residual plain(void) {
    return (Residual){.placement = PRE_LN,
                      .norm = {halve, NORM},
                      .sublayer = {square, SUBLAYER},
                      .join = join_add()};
}

static Tensor *input(Tape *t) {
    Tensor *x = tape_tensor(t, 2, (size_t[]){2, 2}, true);
    for (size_t i = 0; i < N; i++) x->data[i] = X[i];
    return x;
}

/* values[i] = a x + b x^2: every order of the three calls gives one of these. */
static const double *polynomial(double a, double b) {
    static double all[32][N];
    static size_t used;
    double *values = all[used++ % 32];
    for (size_t i = 0; i < N; i++)
        values[i] = a * (double)X[i] + b * (double)X[i] * (double)X[i];
    return values;
}

/* The layers' outputs for X; see known.h. */
static void know_branch(void) {
    AXES({"element", "n", N});
    KNOW_AS("x", polynomial(1, 0), "element");
    KNOW_AS("norm(x)", polynomial(0.5, 0), "element");
    KNOW_AS("sublayer(x)", polynomial(0, 1), "element");
    KNOW_AS("sublayer(norm(x))", polynomial(0, 0.25), "element");
    KNOW_AS("norm(sublayer(x))", polynomial(0, 0.5), "element");
}

Test(pre_ln, norm_then_sublayer_then_sum, .timeout = 10) {
    Tape t = tape_create(1);
    Residual r = plain();
    Tensor *out = residual_pre_ln(&t, &r, input(&t));
    know_branch();
    CHECK_CLOSE(
        "out", out->data, polynomial(1, 0.25), N, 1e-6,
        {"the norm stands behind the sum (that is post-LN)", polynomial(0.5, 0.5)},
        {"the normalized x goes on as the stream: the join wants x as it came in",
         polynomial(0.5, 0.25)},
        {"the norm is applied to the branch's output instead of its input",
         polynomial(1, 0.5)},
        {"the norm is left out", polynomial(1, 1)},
        {"the stream is left out: only the branch comes out", polynomial(0, 0.25)},
        {"the sublayer is left out", polynomial(1.5, 0)},
        {"the branch is left out: x comes back as it went in", polynomial(1, 0)},
        {"the norm runs twice in front of the sublayer", polynomial(1, 0.0625)},
        {"the norm runs twice on the branch: in front of the sublayer and behind it",
         polynomial(1, 0.125)},
        {"the norm stands in front of the sublayer and behind the sum: pre-LN and "
         "post-LN at once",
         polynomial(0.5, 0.125)},
        {"x is added twice: the join adds it already", polynomial(2, 0.25)},
        {"the branch is joined twice", polynomial(1, 0.5)});
}

/* Chapter 05 replaces the sum, so the order of the join's arguments matters, and that
 * it is used at all. */
Test(pre_ln, any_join, .timeout = 10) {
    Tape t = tape_create(1);
    Residual r = plain();
    r.join = (Join){join_tenfold, TENFOLD};
    Tensor *out = residual_pre_ln(&t, &r, input(&t));
    know_branch();
    CHECK_CLOSE(
        "out with the join 10 x + branch", out->data, polynomial(10, 0.25), N, 1e-6,
        {"stream and branch are swapped in the join", polynomial(1, 2.5)},
        {"x + branch is computed here instead of calling join_forward",
         polynomial(1, 0.25)},
        {"the normalized x goes on as the stream: the join wants x as it came in",
         polynomial(5, 0.25)},
        {"the norm is applied to the branch's output instead of its input",
         polynomial(10, 0.5)},
        {"the branch is joined twice", polynomial(100, 2.75)});
}

/* out = x + x^2 / 4, so dout/dx = 1 + x / 2: the 1 is the stream, which passes no
 * norm. */
Test(pre_ln, gradient_of_the_stream, .timeout = 10) {
    static const double expected[N] = {1.5, 2, 2.5, -1},
                        post[N] = {1.5, 2.5, 3.5, -3.5};
    static const double through_norm[N] = {1, 1.5, 2, -1.5},
                        branch[N] = {0.5, 1, 1.5, -2};
    Tape t = tape_create(1);
    Residual r = plain();
    Tensor *x = input(&t), *out = residual_pre_ln(&t, &r, x);
    for (size_t i = 0; i < N; i++) out->grad[i] = 1;
    tape_backward_from_grad(&t);
    CHECK_CLOSE("dx", x->grad, expected, N, 1e-6,
                {"the norm stands behind the sum (that is post-LN)", post},
                {"the stream passes through the norm", through_norm},
                {"the gradient has no way around the sublayer", branch});
}

/* A layer may be as large as attention: running one twice doubles the cost,
 * and draws dropout's mask twice. */
Test(pre_ln, every_layer_runs_once, .timeout = 10) {
    Tape t = tape_create(1);
    Residual r = plain();
    norm_runs = sublayer_runs = 0;
    residual_pre_ln(&t, &r, input(&t));
    CHECK(norm_runs == 1, "the norm ran %d times, expected once", norm_runs);
    CHECK(sublayer_runs == 1, "the sublayer ran %d times, expected once",
          sublayer_runs);
}

/* {0} is the layer that does nothing. */
Test(pre_ln, without_a_norm, .timeout = 10) {
    Tape t = tape_create(1);
    Residual r = plain();
    r.norm = (Layer){0};
    crash_means(
        "the norm is called though there is none: layer_forward then gives back x");
    Tensor *out = residual_pre_ln(&t, &r, input(&t));
    CHECK_CLOSE("out without a norm", out->data, polynomial(1, 1), N, 1e-6);
}
