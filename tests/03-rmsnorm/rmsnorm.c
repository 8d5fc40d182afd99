/* Tests of exercise 03/rmsnorm: PyTorch's numbers,
 * inputs that tell the known mistakes apart, and gradients. */
#include "03-rmsnorm/rmsnorm.h"
#include "03-rmsnorm/rmsnorm_layer.h"

#include "check/check.h"
#include "check/golden.h"
#include "plain_rmsnorm.h"

static void check_forward(const float *x, const float *gain, size_t rows, size_t dim,
                          float eps, double tolerance) {
    float *out = nan_floats(rows * dim), *rrms = nan_floats(rows);
    Pass p = pass_of(x, gain, NULL, rows, dim, dim, (double)eps);
    may_lack_gain(gain);
    rmsnorm_forward(out, rrms, x, gain, rows, dim, eps);
    know_pass(&p);
#define PLAIN(variation) plain_forward(&p, p.eps, variation)
    CHECK_CLOSE(
        "out", out, PLAIN(RIGHT), rows * dim, tolerance,
        {"the mean is subtracted (that is LayerNorm)", PLAIN(CENTERED)},
        {"the variance stands under the root: square x, not x - mean",
         PLAIN(CENTERED_SCALE)},
        {"eps is added to the root mean square, outside the root", PLAIN(EPS_OUTSIDE)},
        {"eps is left out", PLAIN(NO_EPS)},
        {"1e-5 stands for eps, whatever the argument says",
         plain_forward(&p, 1e-5, RIGHT)},
        {"the sum of squares is not divided by dim", PLAIN(SUM)},
        {"the sum of squares is divided by dim - 1 instead of dim", PLAIN(BESSEL)},
        {"x is multiplied by the root mean square instead of divided by it",
         PLAIN(MULTIPLIED)},
        {"the gain is left out", PLAIN(NO_GAIN)},
        {"the mean square is that of x * gain: it is that of x", PLAIN(GAIN_INSIDE)},
        {"the sum of squares is not set back to 0 for each row", PLAIN(NOT_RESET)},
        {"it is multiplied by 1 + gain", PLAIN(GAIN_PLUS_ONE)},
        {"it is divided by the mean square: the root is missing", PLAIN(NO_ROOT)});
#undef PLAIN
}

/* eps is large against these squares: where it stands shows. */
Test(rmsnorm, forward_tiny_rows, .timeout = 10) {
    enum { ROWS = 3, DIM = 8 };
    check_forward(normal_floats(ROWS * DIM, 1e-3, 1), NULL, ROWS, DIM, 3e-6f, 1e-5);
}

Test(rmsnorm, forward_small_rows, .timeout = 10) {
    enum { ROWS = 6, DIM = 4 };
    check_forward(normal_floats(ROWS * DIM, 1, 2), NULL, ROWS, DIM, 1e-6f, 1e-5);
}

/* A row far from zero keeps its mean: all outputs are near 1. */
Test(rmsnorm, forward_offset, .timeout = 10) {
    enum { ROWS = 2, DIM = 64 };
    float *x = normal_floats(ROWS * DIM, 1, 6);
    for (size_t i = 0; i < ROWS * DIM; i++) x[i] += 100.0f;
    check_forward(x, NULL, ROWS, DIM, 1e-5f, 1e-5);
}

Test(rmsnorm, forward_gain, .timeout = 10) {
    enum { ROWS = 3, DIM = 5 };
    check_forward(normal_floats(ROWS * DIM, 1, 3), normal_floats(DIM, 1, 4), ROWS, DIM,
                  1e-5f, 1e-5);
}

/* All zeros: the output is zero, and nothing is NaN. */
Test(rmsnorm, forward_zero_row, .timeout = 10) {
    float x[7] = {0};
    check_forward(x, NULL, 1, 7, 1e-5f, 1e-5);
}

/* (3, 4): the mean square is 12.5, its root 3.5355, and rrms one over that. */
Test(rmsnorm, forward_writes_rrms, .timeout = 10) {
    float x[4] = {3, 4, 0.6f, 0.8f}, out[4], *rrms = nan_floats(2);
    double expected[2] = {1 / sqrt(12.5), 1 / sqrt(0.5)},
           rms[2] = {sqrt(12.5), sqrt(0.5)}, square[2] = {12.5, 0.5};
    may_lack_gain(NULL);
    rmsnorm_forward(out, rrms, x, NULL, 2, 2, 0);
    AXES({"row", "rows", 2});
    know_shape("rrms", "row");
    CHECK_CLOSE("rrms", rrms, expected, 2, 1e-6,
                {"rrms holds the root mean square, not 1 over it", rms},
                {"rrms holds the mean square, not 1 over its root", square});
}

/* The backward pass needs the very factor that the forward pass used, eps in it. */
Test(rmsnorm, forward_writes_rrms_with_eps, .timeout = 10) {
    float x[4] = {3, 4, 0.6f, 0.8f}, out[4], *rrms = nan_floats(2);
    may_lack_gain(NULL);
    rmsnorm_forward(out, rrms, x, NULL, 2, 2, 0.5f);
    CHECK_CLOSE("rrms", rrms, ((double[]){1 / sqrt(12.5 + 0.5), 1 / sqrt(0.5 + 0.5)}),
                2, 1e-6,
                {"eps is left out of rrms, or a number far smaller stands for it",
                 ((double[]){1 / sqrt(12.5), 1 / sqrt(0.5)})});
}

/* PyTorch's inputs of a case. */
static Pass golden_pass(const char *name) {
    size_t size, shape[SAFETENSORS_MAX_NDIM];
    float *x = golden_float("rmsnorm", name, "x", &size);
    size_t dim = shape[golden_shape("rmsnorm", name, "x", shape) - 1];
    bool has_gain = golden_has("rmsnorm", name, "weight");
    return pass_of(x, has_gain ? golden_float("rmsnorm", name, "weight", NULL) : NULL,
                   golden_float("rmsnorm", name, "dy", NULL), size / dim, dim, dim,
                   golden_attr("rmsnorm", name, "eps"));
}
static const char *const cases[] = {"basic", "no_weight", "near_zero"};

Test(rmsnorm, forward_equals_pytorch, .timeout = 10) {
    for (size_t i = 0; i < 3; i++) {
        Pass p = golden_pass(cases[i]);
        float *out = nan_floats(p.n), *rrms = nan_floats(p.rows);
        rmsnorm_forward(out, rrms, p.x, p.gain, p.rows, p.dim, (float)p.eps);
        p.dout = NULL;
        know_pass(&p);
        CHECK_CLOSE(cases[i], out, golden("rmsnorm", cases[i], "y", NULL), p.n, 1e-5);
    }
}

/* Of the gradients one may be left out. */
static void backward(const Pass *p, float *dx, float *dgain) {
    if (!p->gain)
        crash_means("gain[i] is read though gain is NULL, or dgain is added to though "
                    "it is NULL");
    else if (!dx || !dgain)
        crash_means(dx ? "dgain is added to though it is NULL"
                       : "dx is added to though it is NULL");
    rmsnorm_backward(dx, dgain, p->dout, p->x, p->rrms, p->gain, p->rows, p->dim);
    know_pass(p);
}

Test(rmsnorm, backward_equals_pytorch, .timeout = 10) {
    for (size_t i = 0; i < 3; i++) {
        Pass p = golden_pass(cases[i]);
        backward(&p, p.dx, p.gain ? p.dgain : NULL);
        CHECK_ADDED("dx", p.dx, golden("rmsnorm", cases[i], "dx", NULL), p.n, 1e-5);
        if (p.gain)
            CHECK_ADDED("dgain", p.dgain, golden("rmsnorm", cases[i], "dweight", NULL),
                        p.dim, 1e-5);
    }
}

enum { ROWS = 3, DIM = 6, SIZE = ROWS * DIM };
#define DX(eps, ...) plain_dx(&p, eps, (BackwardMistake){__VA_ARGS__})
#define DGAIN(...) plain_dgain(&p, (DgainMistake){__VA_ARGS__})

Test(rmsnorm, backward_terms_of_dx, .timeout = 10) {
    Pass p = random_pass(ROWS, DIM, DIM, 1e-5, 7);
    backward(&p, p.dx, NULL);
#define PLAIN(...) DX(p.eps, __VA_ARGS__)
    CHECK_ADDED(
        "dx", p.dx, PLAIN(false), SIZE, 1e-5,
        {"rrms is taken as a constant in dx: it depends on x too",
         PLAIN(.no_xhat_term = true)},
        {"the sum of g * xhat is used while it is still being summed: two loops",
         PLAIN(.part_of_sum = true)},
        {"the term mean(g) of LayerNorm is still there", PLAIN(.mean_term = true)},
        {"the gain is left out of dx", PLAIN(.no_gain = true)},
        {"the mean is of dout * xhat: it is of g * xhat, g = dout * gain",
         PLAIN(.no_gain_in_sum = true)},
        {"the sum of g * xhat is not divided by dim", PLAIN(.not_divided = true)},
        {"the term xhat * mean(g * xhat) is added instead of subtracted",
         PLAIN(.added = true)},
        {"the factor rrms in front is missing", PLAIN(.no_rrms = true)},
        {"x stands for xhat: it must be multiplied by rrms",
         PLAIN(.xhat_without_rrms = true)});
#undef PLAIN
}

Test(rmsnorm, backward_dgain, .timeout = 10) {
    Pass p = random_pass(ROWS, DIM, DIM, 1e-5, 7);
    backward(&p, NULL, p.dgain);
    CHECK_ADDED(
        "dgain (dx is NULL)", p.dgain, DGAIN(false), DIM, 1e-5,
        {"dgain is multiplied by the gain", DGAIN(.with_gain = true)},
        {"dgain takes x where xhat = x * rrms belongs", DGAIN(.without_rrms = true)},
        {"the mean over the rows is taken, not the sum", DGAIN(.mean_of_rows = true)});
}

/* Without a gain (NULL) g is dout. */
Test(rmsnorm, backward_without_gain, .timeout = 10) {
    Pass p = pass_of(normal_floats(SIZE, 2, 7), NULL, normal_floats(SIZE, 1, 9), ROWS,
                     DIM, DIM, 1e-5);
    backward(&p, p.dx, NULL);
    CHECK_ADDED("dx without a gain", p.dx, DX(p.eps, false), SIZE, 1e-5);
}

static void check_size(size_t rows, size_t dim) {
    Pass p = random_pass(rows, dim, dim, 1e-5, 20);
    float *out = nan_floats(p.n), *rrms = nan_floats(rows);
    rmsnorm_forward(out, rrms, p.x, p.gain, rows, dim, 1e-5f);
    know_pass(&p);
    CHECK_CLOSE(with_size("out", rows, dim), out, plain_forward(&p, 1e-5, RIGHT), p.n,
                1e-5);
    backward(&p, p.dx, p.dgain);
    CHECK_ADDED(with_size("dx", rows, dim), p.dx, DX(p.eps, false), p.n, 1e-5);
    CHECK_ADDED(with_size("dgain", rows, dim), p.dgain, DGAIN(false), dim, 1e-5);
}

/* Enough rows and columns for threads, and no multiple of a round number. */
Test(rmsnorm, many_rows, .timeout = 10) {
    check_size(600, 200);
    check_size(1500, 20);
    check_size(3, 5000);
    check_size(5003, 3);
}

/* The forward pass had a large eps: only its rrms knows. */
Test(rmsnorm, backward_takes_rrms_as_it_is, .timeout = 10) {
    float *x = normal_floats(SIZE, 1, 23), *dout = normal_floats(SIZE, 1, 25);
    x[1] = dout[2] = dout[7] = 0; /* zeros take part */
    Pass p = pass_of(x, normal_floats(DIM, 1, 24), dout, ROWS, DIM, DIM, 0.5);
    backward(&p, p.dx, NULL);
    CHECK_ADDED("dx", p.dx, DX(p.eps, false), SIZE, 1e-5,
                {"rrms is computed again, with an eps of 1e-5: the forward pass had "
                 "another, take its rrms",
                 DX(1e-5, false)},
                {"rrms is computed again, with an eps of 1e-6: the forward pass had "
                 "another, take its rrms",
                 DX(1e-6, false)});
}
