/* Tests of exercise 03/rmsnorm: PyTorch's numbers,
 * inputs that tell the known mistakes apart, and gradients. */
#include "03-rmsnorm/rmsnorm.h"
#include "03-rmsnorm/rmsnorm_layer.h"

#include "check/check.h"
#include "check/golden.h"
#include "tensor/gradcheck.h"
#include "plain_rmsnorm.h"

static void check_forward(const float *x, const float *gain, size_t rows, size_t dim,
                          float eps, double tolerance) {
    float *out = nan_floats(rows * dim), *rrms = nan_floats(rows);
    double *x_double = as_double(x, rows * dim),
           *gain_double = gain ? as_double(gain, dim) : NULL;
    may_lack_gain(gain);
    rmsnorm_forward(out, rrms, x, gain, rows, dim, eps);
    know_pass(x_double, NULL, gain, rows, dim, dim, (double)eps);
#define PLAIN(variation)                                                               \
    plain_forward(x_double, gain_double, rows, dim, dim, (double)eps, variation)
    CHECK_CLOSE(
        "out", out, PLAIN(RIGHT), rows * dim, tolerance,
        {"the mean is subtracted (that is LayerNorm)", PLAIN(CENTERED)},
        {"the variance stands under the root: square x, not x - mean",
         PLAIN(CENTERED_SCALE)},
        {"eps is added to the root mean square, outside the root", PLAIN(EPS_OUTSIDE)},
        {"eps is left out", PLAIN(NO_EPS)},
        {"1e-5 stands for eps, whatever the argument says",
         plain_forward(x_double, gain_double, rows, dim, dim, 1e-5, RIGHT)},
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

static const char *const cases[] = {"basic", "no_weight", "near_zero"};

Test(rmsnorm, forward_equals_pytorch, .timeout = 10) {
    for (size_t i = 0; i < 3; i++) {
        size_t size, shape[SAFETENSORS_MAX_NDIM];
        float *x = golden_float("rmsnorm", cases[i], "x", &size);
        size_t dim = shape[golden_shape("rmsnorm", cases[i], "x", shape) - 1],
               rows = size / dim;
        bool has_gain = golden_has("rmsnorm", cases[i], "weight");
        float *gain =
            has_gain ? golden_float("rmsnorm", cases[i], "weight", NULL) : NULL;
        float *out = nan_floats(size), *rrms = nan_floats(rows);
        double eps = golden_attr("rmsnorm", cases[i], "eps");
        rmsnorm_forward(out, rrms, x, gain, rows, dim, (float)eps);
        know_pass(as_double(x, size), NULL, gain, rows, dim, dim, eps);
        CHECK_CLOSE(cases[i], out, golden("rmsnorm", cases[i], "y", NULL), size, 1e-5);
    }
}

Test(rmsnorm, backward_equals_pytorch, .timeout = 10) {
    for (size_t i = 0; i < 3; i++) {
        size_t size, shape[SAFETENSORS_MAX_NDIM];
        float *x = golden_float("rmsnorm", cases[i], "x", &size);
        size_t dim = shape[golden_shape("rmsnorm", cases[i], "x", shape) - 1],
               rows = size / dim;
        bool has_gain = golden_has("rmsnorm", cases[i], "weight");
        float *gain =
            has_gain ? golden_float("rmsnorm", cases[i], "weight", NULL) : NULL;
        double eps = golden_attr("rmsnorm", cases[i], "eps");
        float *rrms = plain_rrms(as_double(x, size), rows, dim, dim, eps);
        float *dx = ones_and_a_half(size), *dgain = ones_and_a_half(dim),
              *dout = golden_float("rmsnorm", cases[i], "dy", NULL);
        if (!has_gain)
            crash_means("gain[i] is read though gain is NULL, or dgain is added to "
                        "though it is NULL");
        rmsnorm_backward(dx, has_gain ? dgain : NULL, dout, x, rrms, gain, rows, dim);
        know_pass(as_double(x, size), dout, gain, rows, dim, dim, eps);
        CHECK_ADDED("dx", dx, golden("rmsnorm", cases[i], "dx", NULL), size, 1e-5);
        if (has_gain)
            CHECK_ADDED("dgain", dgain, golden("rmsnorm", cases[i], "dweight", NULL),
                        dim, 1e-5);
    }
}

enum { ROWS = 3, DIM = 6, SIZE = ROWS * DIM };

Test(rmsnorm, backward_terms_of_dx, .timeout = 10) {
    float *x = normal_floats(SIZE, 2, 7), *gain = normal_floats(DIM, 1, 8),
          *dout = normal_floats(SIZE, 1, 9);
    double *x_d = as_double(x, SIZE), *gain_d = as_double(gain, DIM),
           *dout_d = as_double(dout, SIZE);
    float *dx = ones_and_a_half(SIZE);
    crash_means("dgain is added to though it is NULL");
    rmsnorm_backward(dx, NULL, dout, x, plain_rrms(x_d, ROWS, DIM, DIM, 1e-5), gain,
                     ROWS, DIM);
    know_pass(x_d, dout, gain, ROWS, DIM, DIM, 1e-5);
#define PLAIN(...)                                                                     \
    plain_dx(x_d, dout_d, gain_d, ROWS, DIM, DIM, 1e-5, (BackwardMistake){__VA_ARGS__})
    CHECK_ADDED(
        "dx", dx, PLAIN(false), SIZE, 1e-5,
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
    float *x = normal_floats(SIZE, 2, 7), *gain = normal_floats(DIM, 1, 8),
          *dout = normal_floats(SIZE, 1, 9);
    double *x_d = as_double(x, SIZE), *gain_d = as_double(gain, DIM),
           *dout_d = as_double(dout, SIZE);
    float *dgain = ones_and_a_half(DIM);
    crash_means("dx is added to though it is NULL");
    rmsnorm_backward(NULL, dgain, dout, x, plain_rrms(x_d, ROWS, DIM, DIM, 1e-5), gain,
                     ROWS, DIM);
    know_pass(x_d, dout, gain, ROWS, DIM, DIM, 1e-5);
#define PLAIN(...)                                                                     \
    plain_dgain(x_d, dout_d, gain_d, ROWS, DIM, DIM, 1e-5, (DgainMistake){__VA_ARGS__})
    CHECK_ADDED(
        "dgain (dx is NULL)", dgain, PLAIN(false), DIM, 1e-5,
        {"dgain is multiplied by the gain", PLAIN(.with_gain = true)},
        {"dgain takes x where xhat = x * rrms belongs", PLAIN(.without_rrms = true)},
        {"the mean over the rows is taken, not the sum", PLAIN(.mean_of_rows = true)});
#undef PLAIN
}

/* Without a gain (NULL) g is dout. */
Test(rmsnorm, backward_without_gain, .timeout = 10) {
    float *x = normal_floats(SIZE, 2, 7), *dout = normal_floats(SIZE, 1, 9),
          *dx = ones_and_a_half(SIZE);
    double *x_d = as_double(x, SIZE);
    crash_means(
        "gain[i] is read though gain is NULL, or dgain is added to though it is NULL");
    rmsnorm_backward(dx, NULL, dout, x, plain_rrms(x_d, ROWS, DIM, DIM, 1e-5), NULL,
                     ROWS, DIM);
    know_pass(x_d, dout, NULL, ROWS, DIM, DIM, 1e-5);
    double *expected = plain_dx(x_d, as_double(dout, SIZE), NULL, ROWS, DIM, DIM, 1e-5,
                                (BackwardMistake){false});
    CHECK_ADDED("dx without a gain", dx, expected, SIZE, 1e-5);
}

static void check_size(size_t rows, size_t dim) {
    size_t size = rows * dim;
    float *x = normal_floats(size, 2, 20), *gain = normal_floats(dim, 1, 21),
          *dout = normal_floats(size, 1, 22);
    double *x_d = as_double(x, size), *gain_d = as_double(gain, dim),
           *dout_d = as_double(dout, size);
    float *out = nan_floats(size), *rrms = nan_floats(rows),
          *dx = ones_and_a_half(size), *dgain = ones_and_a_half(dim);
    may_lack_gain(gain);
    rmsnorm_forward(out, rrms, x, gain, rows, dim, 1e-5f);
    know_pass(x_d, dout, gain, rows, dim, dim, 1e-5);
    CHECK_CLOSE(with_size("out", rows, dim), out,
                plain_forward(x_d, gain_d, rows, dim, dim, 1e-5, RIGHT), size, 1e-5);
    rmsnorm_backward(dx, dgain, dout, x, plain_rrms(x_d, rows, dim, dim, 1e-5), gain,
                     rows, dim);
    CHECK_ADDED(
        with_size("dx", rows, dim), dx,
        plain_dx(x_d, dout_d, gain_d, rows, dim, dim, 1e-5, (BackwardMistake){false}),
        size, 1e-5);
    CHECK_ADDED(
        with_size("dgain", rows, dim), dgain,
        plain_dgain(x_d, dout_d, gain_d, rows, dim, dim, 1e-5, (DgainMistake){false}),
        dim, 1e-5);
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
    const double eps = 0.5;
    float *x = normal_floats(SIZE, 1, 23), *gain = normal_floats(DIM, 1, 24),
          *dout = normal_floats(SIZE, 1, 25);
    x[1] = dout[2] = dout[7] = 0; /* zeros take part */
    double *x_d = as_double(x, SIZE), *gain_d = as_double(gain, DIM),
           *dout_d = as_double(dout, SIZE);
    float *dx = ones_and_a_half(SIZE);
    crash_means("dgain is added to though it is NULL");
    rmsnorm_backward(dx, NULL, dout, x, plain_rrms(x_d, ROWS, DIM, DIM, eps), gain,
                     ROWS, DIM);
#define PLAIN(eps)                                                                     \
    plain_dx(x_d, dout_d, gain_d, ROWS, DIM, DIM, eps, (BackwardMistake){false})
    CHECK_ADDED("dx", dx, PLAIN(eps), SIZE, 1e-5,
                {"rrms is computed again, with an eps of 1e-5: the forward pass had "
                 "another, take its rrms",
                 PLAIN(1e-5)},
                {"rrms is computed again, with an eps of 1e-6: the forward pass had "
                 "another, take its rrms",
                 PLAIN(1e-6)});
#undef PLAIN
}

/* The scalar that is differentiated: sum of dout * out. */
typedef struct {
    const double *dout, *gain;
} Context;

static double scalar(const double *x, size_t n, void *context) {
    Context *c = context;
    double *out = plain_forward(x, c->gain, ROWS, DIM, DIM, 1e-5, RIGHT), sum = 0;
    for (size_t i = 0; i < n; i++) sum += out[i] * c->dout[i];
    return sum;
}

Test(rmsnorm, backward_equals_differences, .timeout = 10) {
    float *x = normal_floats(SIZE, 2, 17), *gain = normal_floats(DIM, 1, 18),
          *dout = normal_floats(SIZE, 1, 19);
    double *x_d = as_double(x, SIZE), expected[SIZE];
    Context context = {as_double(dout, SIZE), as_double(gain, DIM)};
    numeric_gradient(expected, scalar, x_d, SIZE, 1e-5, &context);
    float *dx = ones_and_a_half(SIZE);
    crash_means("dgain is added to though it is NULL");
    rmsnorm_backward(dx, NULL, dout, x, plain_rrms(x_d, ROWS, DIM, DIM, 1e-5), gain,
                     ROWS, DIM);
    know_pass(x_d, dout, gain, ROWS, DIM, DIM, 1e-5);
    CHECK_ADDED("dx", dx, expected, SIZE, 1e-5);
}
