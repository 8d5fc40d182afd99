/* Tests of exercise 01/layernorm: PyTorch's numbers,
 * inputs that tell the known mistakes apart, and gradients. */
#include "01-layernorm-vs-batchnorm/layernorm.h"
#include "01-layernorm-vs-batchnorm/layernorm_layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "check_layernorm.h"
#include "lost_digits.h"
#include "base/memory.h"

/* --- forward --- */

/* Four elements: dividing by 3 instead of 4 changes the result by 13 %. */
Test(layernorm, forward_small_rows, .timeout = 10) {
    enum { ROWS = 6, DIM = 4 };
    float *x = normal_floats(ROWS * DIM, 1, 2);
    for (size_t i = 0; i < ROWS * DIM; i++) x[i] += 0.5f;
    check_forward(x, ones(DIM), zeros(DIM), ROWS, DIM, 1e-5f, 1e-5);
}

/* eps is large against this variance: where it stands shows, and that it is no
 * other. */
Test(layernorm, forward_tiny_variance, .timeout = 10) {
    enum { ROWS = 3, DIM = 8 };
    float *x = normal_floats(ROWS * DIM, 1e-3, 1);
    check_forward(x, ones(DIM), zeros(DIM), ROWS, DIM, 3e-6f, 1e-5);
}

Test(layernorm, forward_gain_and_bias, .timeout = 10) {
    enum { ROWS = 3, DIM = 5 };
    check_forward(normal_floats(ROWS * DIM, 1, 3), normal_floats(DIM, 1, 4),
                  normal_floats(DIM, 1, 5), ROWS, DIM, 1e-5f, 1e-5);
}

/* Rows around the lengths that vector code takes at a time, and one number, which is
 * its own mean. */
Test(layernorm, forward_rows_of_any_length, .timeout = 10) {
    static const size_t dims[] = {1, 2, 3, 15, 16, 17, 33, 100, 768};
    for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
        float *x = normal_floats(2 * dims[i], 1, 10 + (unsigned)i);
        check_forward(x, normal_floats(dims[i], 1, 4), zeros(dims[i]), 2, dims[i],
                      1e-5f, 1e-5);
    }
}

/* Rows far from zero, and the same rows without the offset: how rounding goes wrong
 * depends on the order of the sums, but only rounding knows the offset. */
Test(layernorm, forward_offset, .timeout = 10) {
    enum { ROWS = 2, DIM = 64, SIZE = ROWS * DIM };
    float *near = normal_floats(SIZE, 1, 6), *far = normal_floats(SIZE, 1, 6),
          mean[ROWS], rstd[ROWS];
    float *out_near = nan_floats(SIZE), *out_far = nan_floats(SIZE);
    for (size_t i = 0; i < SIZE; i++) far[i] += 1000.0f;
    layernorm_forward(out_near, mean, rstd, near, ones(DIM), zeros(DIM), ROWS, DIM,
                      1e-5f);
    layernorm_forward(out_far, mean, rstd, far, ones(DIM), zeros(DIM), ROWS, DIM,
                      1e-5f);
    const char *message = wrong_out(out_near, near, NULL, NULL, ROWS, DIM, 1e-5f, 1e-5);
    bool near_right = message == NULL;
    message = wrong_out(out_far, far, NULL, NULL, ROWS, DIM, 1e-5f, 1e-3);
    CHECK(message == NULL, "%s%s%s", message,
          near_right ? "; without the offset of 1000 it is right" : "",
          near_right ? lost_digits(out_far, far, ROWS, DIM) : "");
}

/* Floats are 1/16 apart here. The inputs are what they are, but a mean that is kept as
 * a float may be off by half a step, 1/32, and so may each element of the output: no
 * more is asked for. A sum in float is off by several steps. */
Test(layernorm, forward_huge_offset, .timeout = 10) {
    enum { ROWS = 16, DIM = 768, SIZE = ROWS * DIM };
    float *near = normal_floats(SIZE, 1, 7), *far = normal_floats(SIZE, 1, 7);
    for (size_t i = 0; i < SIZE; i++) far[i] += 1e6f;
    float *out = nan_floats(SIZE), *out_near = nan_floats(SIZE);
    double worst = worst_error(out, far, ROWS, DIM);
    if (worst <= 0.04) return;
    worst_error(out_near, near, ROWS, DIM);
    const char *message = wrong_out(out_near, near, NULL, NULL, ROWS, DIM, 1e-5f, 1e-4);
    CHECK(message == NULL, "%s", message);
    const char *cause = lost_digits(out, far, ROWS, DIM);
    message = wrong_out(out, far, NULL, NULL, ROWS, DIM, 1e-5f, 0.005);
    CHECK(*cause || !message, "%s", message);
    CHECK(!isnan(worst), "of numbers around 10^6 with deviation 1, out is nan%s",
          cause);
    CHECK(false, "of numbers around 10^6 with deviation 1, out is off by %.2g%s", worst,
          cause);
}

/* All elements equal: the variance is 0, the output the bias, and nothing is NaN. Long
 * rows of 10000.1, because a float sum of them is rounded 768 times. */
Test(layernorm, forward_constant_rows, .timeout = 10) {
    enum { ROWS = 3, DIM = 768 };
    static const float values[ROWS] = {3.0f, -0.25f, 10000.1f};
    float x[ROWS * DIM], bias[DIM], *out = nan_floats(ROWS * DIM), mean[ROWS],
                                    rstd[ROWS];
    double expected[ROWS * DIM], no_eps[ROWS * DIM], summed[ROWS * DIM];
    for (size_t i = 0; i < DIM; i++) bias[i] = (float)(i % 7);
    for (size_t r = 0; r < ROWS; r++) {
        float sum = 0;
        for (size_t i = 0; i < DIM; i++) sum += x[r * DIM + i] = values[r];
        double d = (double)(values[r] - sum / DIM);
        for (size_t i = 0; i < DIM; i++) {
            expected[r * DIM + i] = (double)bias[i];
            no_eps[r * DIM + i] = NAN;
            summed[r * DIM + i] = d / sqrt(d * d + 1e-5) + (double)bias[i];
        }
    }
    layernorm_forward(out, mean, rstd, x, ones(DIM), bias, ROWS, DIM, 1e-5f);
    const char *message =
        compare("out of rows of equal numbers", out, expected, ROWS * DIM, 1e-4,
                (Mistake[]){{"eps is left out: 0 / 0", no_eps},
                            {"the mean is summed in float, so that it differs from the "
                             "numbers: sum in double",
                             summed}},
                2);
    /* Sums in another order are rounded otherwise, but one thing remains: only the
     * third row is wrong. */
    bool others = true;
    for (size_t i = 0; i < 2 * DIM; i++)
        others &= fabs((double)out[i] - expected[i]) < 1e-3;
    for (size_t i = 2 * DIM; i < ROWS * DIM; i++) others &= isfinite(out[i]) != 0;
    const char *cause = "";
    if (message && others && !strstr(message, "summed in float")) {
        cause =
            "; only the row of 10000.1 is wrong; perhaps the mean is summed in float "
            "(a double keeps the digits), or in one pass the squares are";
    }
    CHECK(message == NULL, "%s%s", message, cause);
}

/* After what every call has, what a few have. */
Test(layernorm, forward_gain_or_bias_may_be_null, .timeout = 10) {
    enum { ROWS = 3, DIM = 5 };
    float *x = normal_floats(ROWS * DIM, 1, 3), *vector = normal_floats(DIM, 1, 4);
    crash_means("gain[i] is read though gain is NULL: a gain that is NULL counts as 1");
    check_forward(x, NULL, vector, ROWS, DIM, 1e-5f, 1e-5);
    crash_means("bias[i] is read though bias is NULL: a bias that is NULL counts as 0");
    check_forward(x, vector, NULL, ROWS, DIM, 1e-5f, 1e-5);
    check_forward(x, NULL, NULL, ROWS, DIM, 1e-5f, 1e-5);
}

/* --- PyTorch's numbers --- */

static void golden_case(const char *name, double tolerance, bool backward) {
    size_t size, dim = 1, shape[SAFETENSORS_MAX_NDIM];
    float *x = golden_float("layernorm", name, "x", &size);
    int ndim = golden_shape("layernorm", name, "x", shape);
    int last = (int)golden_attr("layernorm", name, "ndim");
    for (int i = ndim - last; i < ndim; i++) dim *= shape[i];
    size_t rows = size / dim;
    float eps = (float)golden_attr("layernorm", name, "eps");
    bool has_gain = golden_has("layernorm", name, "weight"),
         has_bias = golden_has("layernorm", name, "bias");
    float *gain = has_gain ? golden_float("layernorm", name, "weight", NULL) : NULL;
    float *bias = has_bias ? golden_float("layernorm", name, "bias", NULL) : NULL;
    if (!has_gain)
        crash_means(
            "gain[i] is read though gain is NULL: a gain that is NULL counts as 1");
    else if (!has_bias)
        crash_means("bias or dbias is used though it is NULL");
    if (!backward) {
        float *out = nan_floats(size), *mean = nan_floats(rows),
              *rstd = nan_floats(rows);
        layernorm_forward(out, mean, rstd, x, gain, bias, rows, dim, eps);
        know_pass(x, NULL, gain, bias, rows, dim, (double)eps);
        CHECK_CLOSE(name, out, golden("layernorm", name, "y", NULL), size, tolerance);
        return;
    }
    /* The statistics are computed here, so that a wrong forward pass does not fail a
     * right backward pass. */
    float *dout = golden_float("layernorm", name, "dy", NULL);
    Statistics s = know_pass(x, dout, gain, bias, rows, dim, (double)eps);
    float *dx = ones_and_a_half(size), *dgain = ones_and_a_half(dim),
          *dbias = ones_and_a_half(dim);
    layernorm_backward(dx, has_gain ? dgain : NULL, has_bias ? dbias : NULL, dout, x,
                       as_float(s.mean, rows), as_float(s.rstd, rows), gain, rows, dim);
    CHECK_ADDED("dx", dx, golden("layernorm", name, "dx", NULL), size, tolerance);
    if (has_gain)
        CHECK_ADDED("dgain", dgain, golden("layernorm", name, "dweight", NULL), dim,
                    tolerance);
    if (has_bias)
        CHECK_ADDED("dbias", dbias, golden("layernorm", name, "dbias", NULL), dim,
                    tolerance);
}

Test(layernorm, forward_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"basic",  "last_dims",     "no_bias",     "no_affine",
                           "vector", "constant_rows", "tiny_values", "dim1"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        golden_case(cases[i], 1e-5, false);
    golden_case("offset_1e4", 1e-3, false);
}

Test(layernorm, backward_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"basic",  "last_dims",     "no_bias",     "no_affine",
                           "vector", "constant_rows", "tiny_values", "dim1"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        golden_case(cases[i], 2e-5, true);
    golden_case("offset_1e4", 2e-3, true);
}

/* --- backward --- */

Test(layernorm, backward_terms_of_dx, .timeout = 10) {
    enum { ROWS = 3, DIM = 6 };
    float *x = normal_floats(ROWS * DIM, 2, 7), *gain = normal_floats(DIM, 1, 8),
          *dout = normal_floats(ROWS * DIM, 1, 9), *dx = ones_and_a_half(ROWS * DIM);
    Statistics s = know_pass(x, dout, gain, NULL, ROWS, DIM, 1e-5);
    crash_means("dgain or dbias is added to though it is NULL");
    layernorm_backward(dx, NULL, NULL, dout, x, as_float(s.mean, ROWS),
                       as_float(s.rstd, ROWS), gain, ROWS, DIM);
#define PLAIN(mean, xhat, ...)                                                         \
    plain_dx(x, dout, gain, ROWS, DIM,                                                 \
             (DxVariation){.mean_term = mean, .xhat_term = xhat, ##__VA_ARGS__})
    CHECK_ADDED(
        "dx", dx, PLAIN(-1, -1), ROWS * DIM, 1e-5,
        {"the term mean(g) is missing in dx: the mean depends on x too", PLAIN(0, -1)},
        {"the term xhat * mean(g * xhat) is missing in dx: the variance depends on x "
         "too",
         PLAIN(-1, 0)},
        {"mean and rstd are taken as constants in dx, or both means are 0 (as 1 / dim "
         "is in whole numbers)",
         PLAIN(0, 0)},
        {"the gain is left out of dx", PLAIN(-1, -1, .no_gain = true)},
        {"the gain is indexed by the row instead of the element",
         PLAIN(-1, -1, .gain_by_row = true)},
        {"the two means are of dout, not of g = dout * gain",
         PLAIN(-1, -1, .no_gain_in_means = true)},
        {"mean(g) is the mean of dout: the gain is left out of it",
         PLAIN(-1, -1, .no_gain_in_first = true)},
        {"the gain stands in front as in BatchNorm: here it differs within the row, so "
         "it belongs to g, "
         "inside the means",
         PLAIN(-1, -1, .gain_in_front = true)},
        {"the two sums are not divided by dim", PLAIN(-1, -1, .divisor = 1)},
        {"the two means are divided by dim - 1", PLAIN(-1, -1, .divisor = DIM - 1)},
        {"the two means are divided by the number of rows",
         PLAIN(-1, -1, .divisor = ROWS)},
        {"the two sums are not set back to 0 for each row",
         PLAIN(-1, -1, .sums_not_reset = true)},
        {"the term mean(g) is added instead of subtracted", PLAIN(1, -1)},
        {"the term xhat * mean(g * xhat) is added instead of subtracted", PLAIN(-1, 1)},
        {"the factor rstd in front is missing", PLAIN(-1, -1, .no_rstd = true)},
        {"x - mean stands for xhat: it must be multiplied by rstd",
         PLAIN(-1, -1, .xhat_without_rstd = true)});
#undef PLAIN
}

/* Five rows: the gradients of gain and bias are sums over them. */
Test(layernorm, backward_gain_and_bias, .timeout = 10) {
    enum { ROWS = 5, DIM = 4 };
    float *x = normal_floats(ROWS * DIM, 2, 11), *gain = normal_floats(DIM, 1, 12),
          *dout = normal_floats(ROWS * DIM, 1, 13), *dgain = ones_and_a_half(DIM),
          *dbias = ones_and_a_half(DIM);
    Statistics s = know_pass(x, dout, gain, NULL, ROWS, DIM, 1e-5);
    crash_means("dx is added to though it is NULL");
    layernorm_backward(NULL, dgain, dbias, dout, x, as_float(s.mean, ROWS),
                       as_float(s.rstd, ROWS), gain, ROWS, DIM);
    double right[DIM] = {0}, with_x[DIM] = {0}, without_rstd[DIM] = {0},
           with_gain[DIM] = {0}, last[DIM];
    double mean_of_rows[DIM], bias_mean[DIM], bias[DIM] = {0},
                                              bias_with_gain[DIM] = {0}, bias_last[DIM];
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t i = 0; i < DIM; i++) {
            double g = (double)dout[r * DIM + i],
                   d = (double)x[r * DIM + i] - s.mean[r];
            right[i] += g * d * s.rstd[r];
            with_x[i] += g * (double)x[r * DIM + i];
            without_rstd[i] += g * d;
            with_gain[i] += g * d * s.rstd[r] * (double)gain[i];
            bias[i] += g;
            bias_with_gain[i] += g * (double)gain[i];
            /* The result with = in the place of +=, less the 1.5 that CHECK_ADDED
             * subtracts. */
            last[i] = g * d * s.rstd[r] - 1.5;
            bias_last[i] = g - 1.5;
        }
    }
    for (size_t i = 0; i < DIM; i++) {
        mean_of_rows[i] = right[i] / ROWS;
        bias_mean[i] = bias[i] / ROWS;
    }
    CHECK_ADDED(
        "dgain (dx is NULL)", dgain, right, DIM, 1e-5,
        {"the mean over the rows is taken, not the sum", mean_of_rows},
        {"dout is multiplied by x, not by xhat", with_x},
        {"x - mean stands for xhat: it must be multiplied by rstd", without_rstd},
        {"the gain is multiplied into its own gradient", with_gain},
        {"xhat is left out: that is the bias's gradient", bias},
        {"each row overwrites (=) what the rows before it gave", last});
    CHECK_ADDED("dbias (dx is NULL)", dbias, bias, DIM, 1e-5,
                {"the mean over the rows is taken, not the sum", bias_mean},
                {"the gain is multiplied into the bias's gradient", bias_with_gain},
                {"xhat is multiplied into it: that is the gain's gradient", right},
                {"each row overwrites (=) what the rows before it gave", bias_last});
}

/* A NULL gain counts as 1, and a NULL gradient is not written. */
Test(layernorm, backward_gradients_may_be_null, .timeout = 10) {
    enum { ROWS = 3, DIM = 5 };
    float *x = normal_floats(ROWS * DIM, 2, 14),
          *dout = normal_floats(ROWS * DIM, 1, 15), *dx = ones_and_a_half(ROWS * DIM),
          *dbias = ones_and_a_half(DIM), ones[DIM];
    double sums[DIM] = {0};
    for (size_t i = 0; i < ROWS * DIM; i++) sums[i % DIM] += (double)dout[i];
    for (size_t i = 0; i < DIM; i++) ones[i] = 1.0f;
    Statistics s = know_pass(x, dout, NULL, NULL, ROWS, DIM, 1e-5);
    float *mean = as_float(s.mean, ROWS), *rstd = as_float(s.rstd, ROWS);
    crash_means("gain[i] is read though gain is NULL, or dgain or dbias is added to "
                "though it is NULL");
    layernorm_backward(dx, NULL, NULL, dout, x, mean, rstd, NULL, ROWS, DIM);
    CHECK_ADDED("dx without a gain", dx,
                plain_dx(x, dout, ones, ROWS, DIM,
                         (DxVariation){.mean_term = -1, .xhat_term = -1}),
                ROWS * DIM, 1e-5);
    crash_means("dx is added to though it is NULL");
    layernorm_backward(NULL, NULL, dbias, dout, x, mean, rstd, NULL, ROWS, DIM);
    CHECK_ADDED("dbias (the others are NULL)", dbias, sums, DIM, 1e-5);
}

static void check_size(size_t rows, size_t dim) {
    size_t size = rows * dim;
    float *x = normal_floats(size, 2, 16), *gain = normal_floats(dim, 1, 17),
          *dout = normal_floats(size, 1, 18);
    float *out = nan_floats(size), *mean = nan_floats(rows), *rstd = nan_floats(rows);
    layernorm_forward(out, mean, rstd, x, gain, zeros(dim), rows, dim, 1e-5f);
    Statistics s = know_pass(x, dout, gain, NULL, rows, dim, 1e-5);
    CHECK_CLOSE(with_size("out", rows, dim), out,
                plain_forward(x, gain, NULL, rows, dim, 1e-5, RIGHT), size, 1e-5);
    double *dgain_sum = checked_alloc(dim, sizeof(double)),
           *dbias_sum = checked_alloc(dim, sizeof(double));
    for (size_t i = 0; i < size; i++) {
        size_t r = i / dim;
        dgain_sum[i % dim] += (double)dout[i] * ((double)x[i] - s.mean[r]) * s.rstd[r];
        dbias_sum[i % dim] += (double)dout[i];
    }
    float *dx = ones_and_a_half(size), *dgain = ones_and_a_half(dim),
          *dbias = ones_and_a_half(dim);
    layernorm_backward(dx, dgain, dbias, dout, x, as_float(s.mean, rows),
                       as_float(s.rstd, rows), gain, rows, dim);
    DxVariation right = {.mean_term = -1, .xhat_term = -1};
    CHECK_ADDED(with_size("dx", rows, dim), dx,
                plain_dx(x, dout, gain, rows, dim, right), size, 1e-5);
    CHECK_ADDED(with_size("dgain", rows, dim), dgain, dgain_sum, dim, 1e-5);
    CHECK_ADDED(with_size("dbias", rows, dim), dbias, dbias_sum, dim, 1e-5);
}

/* Enough rows and columns for threads, and for work that is cut into parts. */
Test(layernorm, many_rows, .timeout = 10) {
    check_size(600, 100);
    check_size(1500, 20);
    check_size(3, 5000);
    check_size(5003, 3);
}

/* The forward pass had a large eps: only its rstd knows. */
Test(layernorm, backward_takes_rstd_as_it_is, .timeout = 10) {
    enum { ROWS = 3, DIM = 6 };
    const double eps = 0.5;
    float *x = normal_floats(ROWS * DIM, 1, 19), *gain = normal_floats(DIM, 1, 20),
          *dout = normal_floats(ROWS * DIM, 1, 21), *dx = ones_and_a_half(ROWS * DIM);
    x[1] = dout[2] = dout[7] = 0; /* zeros take part */
    Statistics s = plain_rows(x, ROWS, DIM, eps);
    crash_means("dgain or dbias is added to though it is NULL");
    layernorm_backward(dx, NULL, NULL, dout, x, as_float(s.mean, ROWS),
                       as_float(s.rstd, ROWS), gain, ROWS, DIM);
    DxVariation right = {.mean_term = -1, .xhat_term = -1, .eps = eps},
                other_eps = right;
    other_eps.eps = 1e-5;
    CHECK_ADDED("dx", dx, plain_dx(x, dout, gain, ROWS, DIM, right), ROWS * DIM, 1e-5,
                {"rstd is computed again, with an eps of 1e-5: the forward pass had "
                 "another, take its rstd",
                 plain_dx(x, dout, gain, ROWS, DIM, other_eps)});
}

Test(layernorm, layer_refuses_a_wrong_shape, .exit_code = 1, .timeout = 10) {
    Tape t = tape_create(1);
    Params params = {.mode = PARAMS_TRAIN};
    LayerNorm l = layernorm_create(&params, 1, (size_t[]){8}, 1e-5f, "ln");
    float x[12] = {0};
    /* The right width first, so that a stub is noticed. */
    layernorm(&t, &l, tape_input(&t, 1, (size_t[]){8}, x));
    layernorm(&t, &l, tape_input(&t, 2, (size_t[]){2, 6}, x));
    exit(0);
}
