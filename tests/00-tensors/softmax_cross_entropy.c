/* Tests of exercise 00/softmax_cross_entropy: PyTorch's numbers, large and -infinite
 * inputs, every axis, and the layers around the kernels. */
#include "00-tensors/softmax_cross_entropy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/golden.h"
#include "check/layer_gradient.h"
#include "base/memory.h"
#include "weights/params.h"
#include "plain_softmax.h"

static double *constant(size_t n, double value) {
    double *x = checked_alloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = value;
    return x;
}

/* ln 1, ln 2, ln 4: the probabilities are 1/7, 2/7 and 4/7. */
Test(softmax_cross_entropy, softmax_of_three_numbers, .timeout = 10) {
    float x[3] = {0, 0.693147181f, 1.386294361f}, *out = nan_floats(3);
    softmax_forward(out, x, 1, 3, 1);
    know_lines(x, 1, 3, 1);
    CHECK_CLOSE(
        "out", out, ((double[]){1.0 / 7, 2.0 / 7, 4.0 / 7}), 3, 1e-6,
        {"the exponentials are not divided by their sum", (double[]){1, 2, 4}},
        {"the maximum is subtracted but the sum is not divided by",
         (double[]){0.25, 0.5, 1}},
        {"the numbers themselves are divided by their sum",
         (double[]){0, 1.0 / 3, 2.0 / 3}},
        {"each number is subtracted from itself, so that all exponentials are 1",
         constant(3, 1)},
        {"each number is subtracted from itself, so that all exponentials are 1",
         constant(3, 1.0 / 3)});
}

/* Along the last axis, and along one whose elements lie apart. */
Test(softmax_cross_entropy, softmax_of_large_numbers, .timeout = 10) {
    float x[4] = {1000, 1001, 1002, 900}, *out = nan_floats(4);
    softmax_forward(out, x, 1, 4, 1);
    know_lines(x, 1, 4, 1);
    CHECK_CLOSE("out", out, plain_softmax(x, 1, 4, 1), 4, 1e-6,
                {"exp overflows: subtract the largest number first", constant(4, NAN)},
                {"exp overflows: subtract the largest number first",
                 (double[]){NAN, NAN, NAN, 0}},
                {"exp overflows and is cut off: subtract the largest number first",
                 constant(4, 0.25)});
    double *lines = plain_softmax(x, 1, 2, 2);
    softmax_forward(out, x, 1, 2, 2);
    know_lines(x, 1, 2, 2);
    CHECK_CLOSE("out along the first of two axes", out, lines, 4, 1e-6,
                {"exp overflows: subtract the largest number of the line first",
                 constant(4, NAN)},
                {"what is subtracted is not the largest number of the line: its first "
                 "is left out, or only its "
                 "last is taken",
                 (double[]){lines[0], NAN, lines[2], 0}});
}

/* Large negative numbers: a maximum that starts at 0 makes every exponential 0. */
Test(softmax_cross_entropy, softmax_of_very_negative_numbers, .timeout = 10) {
    float x[3] = {-1000, -1001, -1002}, *out = nan_floats(3);
    softmax_forward(out, x, 1, 3, 1);
    know_lines(x, 1, 3, 1);
    CHECK_CLOSE(
        "out", out, plain_softmax(x, 1, 3, 1), 3, 1e-6,
        {"the largest number is not subtracted, or the search for it starts at 0",
         constant(3, NAN)});
}

Test(softmax_cross_entropy, softmax_masked_is_zero, .timeout = 10) {
    float x[4] = {-INFINITY, 1, 2, -INFINITY}, *out = nan_floats(4);
    softmax_forward(out, x, 1, 4, 1);
    know_lines(x, 1, 4, 1);
    CHECK_CLOSE("out", out, plain_softmax(x, 1, 4, 1), 4, 1e-6,
                {"-infinity counts as a number", constant(4, NAN)});
}

/* Thousands are compared with the right numbers alone: what is wrong with few is named
 * there. */
enum { FEW = 64 };

static void check_middle_axis(size_t outer, size_t n, size_t inner) {
    size_t all = outer * n * inner;
    float *x = normal_floats(all, 1, 1), *out = nan_floats(all);
    double *right = plain_softmax(x, outer, n, inner);
    softmax_forward(out, x, outer, n, inner);
    know_lines(x, outer, n, inner);
#define WRONG(outer, n, inner) (all > FEW ? right : plain_softmax(x, outer, n, inner))
    CHECK_CLOSE("out", out, right, all, 1e-6,
                {"the lines are taken as contiguous: neighbours lie `inner` apart",
                 WRONG(outer * inner, n, 1)},
                {"the softmax runs over the last axis", WRONG(outer * n, inner, 1)},
                {"the softmax runs over everything", WRONG(1, all, 1)});
#undef WRONG
    softmax_forward(x, x, outer, n, inner);
    CHECK_CLOSE("out, with out = x", x, as_double(out, all), all, 1e-7);
}

Test(softmax_cross_entropy, softmax_over_the_middle_axis, .timeout = 10) {
    check_middle_axis(2, 3, 4);
}

/* Enough lines for several threads, and for any number of lines that may be done
 * together. */
Test(softmax_cross_entropy, softmax_of_many_lines, .timeout = 10) {
    check_middle_axis(3, 20, 333);
}

Test(softmax_cross_entropy, softmax_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"dim0",         "dim1",        "dim2",
                           "dim_last",     "big_offset",  "big_spread",
                           "with_neg_inf", "one_element", "equal"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t shape[SAFETENSORS_MAX_NDIM], size;
        float *x = golden_float("softmax", cases[c], "x", &size);
        int ndim = golden_shape("softmax", cases[c], "x", shape);
        int axis = (int)golden_attr("softmax", cases[c], "dim");
        if (axis < 0) axis += ndim;
        size_t outer = shape_size(axis, shape), n = shape[axis],
               inner = size / outer / n;
        float *out = nan_floats(size), *dx = ones_and_a_half(size),
              *y = golden_float("softmax", cases[c], "y", NULL);
        softmax_forward(out, x, outer, n, inner);
        know_lines(x, outer, n, inner);
        CHECK_CLOSE(cases[c], out, golden("softmax", cases[c], "y", NULL), size, 1e-5);
        float *dout = golden_float("softmax", cases[c], "dy", NULL);
        softmax_backward(dx, dout, y, outer, n, inner);
        KNOW(dout, "outer element inner");
        CHECK_ADDED("dx", dx, golden("softmax", cases[c], "dx", NULL), size, 1e-5);
    }
}

/* dx with the sum weighted as it should be, or with a mistake in it. */
typedef enum {
    RIGHT,
    NO_SUM,
    SUM_OF_DOUT,
    NO_OUT,
    OWN_OUT,
    SUM_IN_FLOAT,
    LINES_OVERLAP
} Variation;

static double *plain_softmax_dx(const float *dout, const double *out, size_t outer,
                                size_t n, size_t inner, Variation variation) {
    double *dx = checked_alloc(outer * n * inner, sizeof *dx);
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start =
            line / inner * n * (variation == LINES_OVERLAP ? 1 : inner) + line % inner;
        double sum = 0;
        for (size_t i = 0; i < n && variation != NO_SUM; i++) {
            size_t at = start + i * inner;
            sum += (double)dout[at] *
                   (variation == SUM_OF_DOUT || variation == OWN_OUT ? 1 : out[at]);
            if (variation == SUM_IN_FLOAT) sum = (double)(float)sum;
        }
        for (size_t i = 0; i < n; i++) {
            size_t at = start + i * inner;
            double factor = variation == OWN_OUT ? out[at] : 1;
            dx[at] +=
                (variation == NO_OUT ? 1 : out[at]) * ((double)dout[at] - factor * sum);
        }
    }
    return dx;
}

static void check_backward_terms(size_t outer, size_t n, size_t inner) {
    size_t all = outer * n * inner;
    double *out = plain_softmax(normal_floats(all, 1, 2), outer, n, inner);
    float *dout = normal_floats(all, 1, 3), *dx = ones_and_a_half(all),
          *out_float = nan_floats(all);
    for (size_t i = 0; i < all; i++) out_float[i] = (float)out[i];
    softmax_backward(dx, dout, out_float, outer, n, inner);
    AXES({"outer", "outer", outer}, {"element", "n", n}, {"inner", "inner", inner});
    KNOW(dout, "outer element inner");
    KNOW(out, "outer element inner");
    double *first = as_double(dout, all),
           *second = plain_softmax_dx(dout, out, outer, n, inner, RIGHT);
    for (size_t i = 0; i < all; i++) {
        first[i] *= out[i];
        second[i] -= first[i];
    }
    KNOW_AS("out * dout", first, "outer element inner");
    KNOW_AS("-out * sum(dout * out)", second, "outer element inner");
    double *sum = as_double(dout, all);
    for (size_t i = 0; i < all; i++) sum[i] = second[i] / out[i];
    KNOW_AS("-sum(dout * out)", sum, "outer element inner");
    double *right = plain_softmax_dx(dout, out, outer, n, inner, RIGHT);
#define PLAIN(variation)                                                               \
    (all > FEW ? right : plain_softmax_dx(dout, out, outer, n, inner, variation))
    double *contiguous =
        all > FEW ? right : plain_softmax_dx(dout, out, outer * inner, n, 1, RIGHT);
    CHECK_ADDED(
        inner == 1 ? "dx along the last axis" : "dx along the middle axis", dx, right,
        all, 1e-5,
        {"the lines are taken as contiguous: neighbours lie `inner` apart", contiguous},
        {"line (o, j) begins at o * n + j, not at o * n * inner + j",
         PLAIN(LINES_OVERLAP)},
        {"the sum of dout * out is left out: each output depends on every input",
         PLAIN(NO_SUM)},
        {"dout is summed without the factor out", PLAIN(SUM_OF_DOUT)},
        {"in the sum, dout[j] is multiplied by out[i], not by out[j]", PLAIN(OWN_OUT)},
        {"the factor out is left out", PLAIN(NO_OUT)});
#undef PLAIN
}

Test(softmax_cross_entropy, softmax_backward_terms, .timeout = 10) {
    check_backward_terms(2, 4, 3);
    check_backward_terms(3, 20, 333);
    check_backward_terms(6, 4, 1);
}

/* --- the loss --- */

enum { ROWS = 4, CLASSES = 3 };
static const int targets[ROWS] = {2, IGNORE_TARGET, 0, 1};

/* The loss summed over the rows that count; ignored rows count as class 0 with `ignore`
 * off. */
static double plain_loss_sum(const float *logits, const int *wanted, size_t rows,
                             size_t n, bool ignore) {
    double *logsumexp = plain_logsumexp(logits, rows, n), sum = 0;
    for (size_t r = 0; r < rows; r++) {
        if (wanted[r] == IGNORE_TARGET && ignore) continue;
        size_t target = wanted[r] == IGNORE_TARGET ? 0 : (size_t)wanted[r];
        sum += logsumexp[r] - (double)logits[r * n + target];
    }
    return sum;
}

Test(softmax_cross_entropy, loss_is_the_mean_over_rows_that_count, .timeout = 10) {
    float *logits = normal_floats(ROWS * CLASSES, 2, 4), *logsumexp = nan_floats(ROWS);
    float loss = cross_entropy_forward(logsumexp, logits, targets, ROWS, CLASSES);
    know_loss(logits, targets, ROWS, CLASSES);
    double sum = plain_loss_sum(logits, targets, ROWS, CLASSES, true);
    double all = plain_loss_sum(logits, targets, ROWS, CLASSES, false), largest = 0,
           first_row = sum;
    for (size_t r = 0; r < ROWS; r++) {
        const float *row = logits + r * CLASSES;
        if (targets[r] != IGNORE_TARGET)
            first_row += (double)row[targets[r]] - (double)logits[targets[r]];
        if (targets[r] != IGNORE_TARGET) largest += fmax(row[0], fmax(row[1], row[2]));
    }
    CHECK_NUMBER(
        "loss", loss, sum / 3, 1e-5, {"the losses are summed, not averaged", &sum},
        {"the sum is divided by all rows, also the ignored ones",
         &(double){sum / ROWS}},
        {"IGNORE_TARGET is not skipped", &(double){all / ROWS}},
        {"the target's logit is read in row 0: r * n_classes is missing",
         &(double){first_row / 3}},
        {"the sign is wrong: the loss is minus the log of a probability",
         &(double){-sum / 3}},
        {"the logarithm has base 2", &(double){sum / 3 / log(2)}},
        {"the largest logit is subtracted but not added to the logarithm again",
         &(double){(sum - largest) / 3}});
    CHECK_CLOSE("logsumexp", logsumexp, plain_logsumexp(logits, ROWS, CLASSES), ROWS,
                1e-5);
}

/* What the loss is made of. */
Test(softmax_cross_entropy, logsumexp_of_each_row, .timeout = 10) {
    float *logits = normal_floats(ROWS * CLASSES, 2, 4), *logsumexp = nan_floats(ROWS);
    double largest[ROWS], log_sum[ROWS], sum[ROWS];
    for (size_t r = 0; r < ROWS; r++) {
        const float *row = logits + r * CLASSES;
        largest[r] = (double)fmaxf(row[0], fmaxf(row[1], row[2]));
        sum[r] = 0;
        for (size_t c = 0; c < CLASSES; c++) sum[r] += exp((double)row[c] - largest[r]);
        log_sum[r] = log(sum[r]);
    }
    cross_entropy_forward(logsumexp, logits, targets, ROWS, CLASSES);
    AXES({"row", "rows", ROWS}, {"class", "n_classes", CLASSES});
    KNOW(logits, "row class");
    KNOW_AS("the largest logit", largest, "row");
    KNOW_AS("ln(sum of exp(logit - largest))", log_sum, "row");
    KNOW_AS("the sum of exp(logit - largest)", sum, "row");
    CHECK_CLOSE("logsumexp", logsumexp, plain_logsumexp(logits, ROWS, CLASSES), ROWS,
                1e-5);
}

Test(softmax_cross_entropy, loss_of_large_logits, .timeout = 10) {
    float logits[6] = {1000, 0, -1000, -2000, -2001, -2002}, *logsumexp = nan_floats(2);
    int wanted[2] = {1, 0};
    float loss = cross_entropy_forward(logsumexp, logits, wanted, 2, 3);
    CHECK_NUMBER("loss", loss, plain_loss_sum(logits, wanted, 2, 3, true) / 2, 1e-6,
                 {"exp overflows or the log of a probability of 0 is taken",
                  &(double){INFINITY}},
                 {"the largest logit of the rows before is taken off too, not that of "
                  "the row alone",
                  &(double){-INFINITY}},
                 {"exp overflows: subtract the largest logit first", &(double){NAN}});
}

/* An untrained model knows nothing: ln(number of classes). */
Test(softmax_cross_entropy, loss_of_equal_logits_is_log_classes, .timeout = 10) {
    enum { N = 50257 };
    static float logits[N];
    float logsumexp;
    float loss = cross_entropy_forward(&logsumexp, logits, &(int){7}, 1, N);
    CHECK_NUMBER(
        "loss", loss, log(N), 1e-6,
        {"the loss is divided by the number of classes", &(double){log(N) / N}});
}

Test(softmax_cross_entropy, loss_without_rows_is_nan, .timeout = 10) {
    float logits[2] = {1, 2}, logsumexp;
    float loss = cross_entropy_forward(&logsumexp, logits, &(int){IGNORE_TARGET}, 1, 2);
    CHECK_NUMBER("loss", loss, NAN, 1e-6,
                 {"0 / 0 is caught; PyTorch gives NaN", &(double){0}});
}

Test(softmax_cross_entropy, loss_equals_pytorch, .timeout = 10) {
    const char *cases[] = {"mean", "ignore_index", "huge_logits", "uniform"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t size, rows;
        float *logits = golden_float("cross_entropy", cases[c], "logits", &size);
        int *wanted = golden_int("cross_entropy", cases[c], "targets", &rows);
        float *logsumexp = nan_floats(rows), *dlogits = ones_and_a_half(size),
              *reference = nan_floats(rows);
        float loss =
            cross_entropy_forward(logsumexp, logits, wanted, rows, size / rows);
        know_loss(logits, wanted, rows, size / rows);
        CHECK_CLOSE(cases[c], &loss, golden("cross_entropy", cases[c], "loss", NULL), 1,
                    1e-5);
        double *exact = plain_logsumexp(logits, rows, size / rows);
        for (size_t r = 0; r < rows; r++) reference[r] = (float)exact[r];
        cross_entropy_backward(dlogits, 1, logits, reference, wanted, rows,
                               size / rows);
        CHECK_ADDED("dlogits", dlogits,
                    golden("cross_entropy", cases[c], "dlogits", NULL), size,
                    strcmp(cases[c], "huge_logits") == 0
                        ? 1e-3
                        : 1e-5); /* a logsumexp of 1000 has few decimals */
    }
}

static double *plain_dlogits(const float *logits, double dloss, double counted,
                             double at_target, bool skip) {
    double *probability = plain_softmax(logits, ROWS, CLASSES, 1);
    for (size_t r = 0; r < ROWS; r++) {
        bool ignored = targets[r] == IGNORE_TARGET;
        if (!ignored) probability[r * CLASSES + (size_t)targets[r]] -= at_target;
        for (size_t i = 0; i < CLASSES; i++) {
            probability[r * CLASSES + i] *= ignored && skip ? 0 : dloss / counted;
        }
    }
    return probability;
}

Test(softmax_cross_entropy, loss_backward_terms, .timeout = 10) {
    float *logits = normal_floats(ROWS * CLASSES, 2, 5),
          *dlogits = ones_and_a_half(ROWS * CLASSES), logsumexp[ROWS];
    double *exact = plain_logsumexp(logits, ROWS, CLASSES);
    for (size_t r = 0; r < ROWS; r++) logsumexp[r] = (float)exact[r];
    cross_entropy_backward(dlogits, 2.5f, logits, logsumexp, targets, ROWS, CLASSES);
    know_loss(logits, targets, ROWS, CLASSES);
    know_number("dloss", 2.5);
    double *target = plain_dlogits(logits, 2.5, 3, 1, true),
           *whole = plain_dlogits(logits, 2.5, 3, 0, true);
    for (size_t i = 0; i < ROWS * CLASSES; i++) target[i] -= whole[i];
    KNOW_AS("dloss / rows * softmax", whole, "row class");
    KNOW_AS("-dloss / rows at the target", target, "row class");
    double *overwritten = plain_dlogits(logits, 2.5, 3, 1, true);
    for (size_t i = 0; i < ROWS * CLASSES; i++)
        overwritten[i] -= targets[i / CLASSES] == IGNORE_TARGET ? 0 : 1.5;
    CHECK_ADDED(
        "dlogits", dlogits, plain_dlogits(logits, 2.5, 3, 1, true), ROWS * CLASSES,
        1e-5,
        {"1 is not subtracted at the target", plain_dlogits(logits, 2.5, 3, 0, true)},
        {"1 is added at the target", plain_dlogits(logits, 2.5, 3, -1, true)},
        {"dloss is left out", plain_dlogits(logits, 1, 3, 1, true)},
        {"dloss multiplies the softmax, but not the 1 at the target",
         plain_dlogits(logits, 2.5, 3, 1 / 2.5, true)},
        {"dloss multiplies the 1 at the target, but not the softmax",
         plain_dlogits(logits, 1, 3, 2.5, true)},
        {"it is not divided by the number of rows",
         plain_dlogits(logits, 2.5, 1, 1, true)},
        {"it is divided by all rows, also the ignored ones",
         plain_dlogits(logits, 2.5, ROWS, 1, true)},
        {"the gradient is overwritten (=) instead of added to (+=)", overwritten},
        {"ignored rows get a gradient", plain_dlogits(logits, 2.5, 3, 1, false)},
        {"the sign is wrong", plain_dlogits(logits, -2.5, 3, 1, true)});
}

/* --- the layers --- */

/* softmax over axis 1 of [2, 3, 2]. */
static void plain_softmax_layer(double *out, const double *const *in, void *context) {
    const double *x = in[0];
    (void)context;
    for (size_t line = 0; line < 4; line++) {
        size_t start = line / 2 * 6 + line % 2;
        double below = 0;
        for (size_t i = 0; i < 3; i++) below += exp(x[start + 2 * i]);
        for (size_t i = 0; i < 3; i++)
            out[start + 2 * i] = exp(x[start + 2 * i]) / below;
    }
}

static Tensor *run_softmax(Tape *t, void *x) {
    return softmax(t, x, -2);
}

Test(softmax_cross_entropy, softmax_layer_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *x = params_add(&params, 3, (size_t[]){2, 3, 2}, "x");
    check_layer_gradient(&(LayerGradient){.layer = run_softmax,
                                          .plain = plain_softmax_layer,
                                          .context = x,
                                          .of = {{"dx", x}}});
}

static void plain_mean_loss(double *out, const double *const *in, void *context) {
    const double *x = in[0];
    (void)context;
    double sum = 0, counted = 0;
    for (size_t r = 0; r < ROWS; r++) {
        double below = 0;
        if (targets[r] == IGNORE_TARGET) continue;
        for (size_t i = 0; i < CLASSES; i++) below += exp(x[r * CLASSES + i]);
        sum += log(below) - x[r * CLASSES + (size_t)targets[r]];
        counted++;
    }
    *out = sum / counted;
}

static Tensor *run_loss(Tape *t, void *logits) {
    return cross_entropy(t, logits, targets);
}

Test(softmax_cross_entropy, loss_layer_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *logits = params_add(&params, 3, (size_t[]){2, 2, CLASSES}, "logits");
    check_layer_gradient(&(LayerGradient){.layer = run_loss,
                                          .plain = plain_mean_loss,
                                          .context = logits,
                                          .of = {{"dlogits", logits}}});
}

static void loss_of_target(void *target) {
    Tape t = tape_create(1);
    float logits[3] = {0};
    cross_entropy(&t, tape_input(&t, 2, (size_t[]){1, 3}, logits), target);
}

Test(softmax_cross_entropy, loss_refuses_a_target_that_is_no_class, .timeout = 10) {
    expect_exit(0, "", loss_of_target, &(int){2}); /* a stub ends here */
    expect_exit(EXIT_INPUT, "target 3 in row 0, expected 0 to 2", loss_of_target,
                &(int){3});
    expect_exit(EXIT_INPUT, "target -1 in row 0", loss_of_target, &(int){-1});
}

static void softmax_over_axis(void *axis) {
    Tape t = tape_create(1);
    float x[6] = {0};
    softmax(&t, tape_input(&t, 2, (size_t[]){2, 3}, x), *(int *)axis);
}

Test(softmax_cross_entropy, softmax_refuses_an_axis_that_is_not_there, .timeout = 10) {
    expect_exit(0, "", softmax_over_axis, &(int){-2});
    expect_exit(EXIT_INPUT, "axis 2 of a tensor with 2 axes", softmax_over_axis,
                &(int){2});
    expect_exit(EXIT_INPUT, "axis -3 of a tensor with 2 axes", softmax_over_axis,
                &(int){-3});
}

/* --- many and far apart --- */

/* Wherever the largest number of a line stands, it is found: exp of the 900 between
 * would be infinite. */
static void check_largest(size_t n) {
    for (size_t inner = 1; inner <= 3; inner++) {
        for (size_t fifth = 0; fifth < 5; fifth++) {
            float *x = equal_floats(n * inner, -1000), *out = nan_floats(n * inner);
            for (size_t j = 0; j < inner; j++)
                x[(fifth * (n - 1) / 4 + j) % n * inner + j] = -100;
            softmax_forward(out, x, 1, n, inner);
            CHECK_CLOSE("out", out, plain_softmax(x, 1, n, inner), n * inner, 1e-6);
        }
    }
}

Test(softmax_cross_entropy, softmax_finds_the_largest, .timeout = 10) {
    check_largest(5);
    check_largest(5003);
}

/* Each line has a maximum of its own: with that of all lines, or with 0, the second is
 * 0 / 0. */
Test(softmax_cross_entropy, softmax_of_lines_far_apart, .timeout = 10) {
    float x[6] = {1000, 1001, 1002, -1000, -1001, -1002}, *out = nan_floats(6);
    double *lines = plain_softmax(x, 2, 3, 1);
    softmax_forward(out, x, 2, 3, 1);
    CHECK_CLOSE("out", out, lines, 6, 1e-6,
                {"the largest number of all lines is subtracted, not that of the line, "
                 "or the search for it "
                 "starts at 0",
                 (double[]){lines[0], lines[1], lines[2], NAN, NAN, NAN}});
}

Test(softmax_cross_entropy, softmax_of_thousands, .timeout = 10) {
    check_middle_axis(1, 5003, 1);
    check_middle_axis(1, 5003, 2);
    check_middle_axis(5003, 3, 1);
    check_middle_axis(2, 3, 5003);
    check_backward_terms(1, 5003, 1);
    check_backward_terms(5003, 3, 1);
    check_backward_terms(2, 3, 5003);
}

/* All elements of dout but one are 1, so that the sum of dout * out must be 1 to the
 * last digits. */
Test(softmax_cross_entropy, softmax_backward_of_a_long_line, .timeout = 10) {
    enum { MANY = 10007 };
    for (size_t inner = 1; inner <= 2; inner++) {
        size_t all = MANY * inner;
        float *dout = equal_floats(all, 1), *out = equal_floats(all, 1.0f / MANY),
              *dx = equal_floats(all, 0);
        dout[0] = 2;
        double *exact = as_double(out, all);
        softmax_backward(dx, dout, out, 1, MANY, inner);
        double *in_float = plain_softmax_dx(dout, exact, 1, MANY, inner, SUM_IN_FLOAT);
        CHECK_CLOSE("dx of a line of 10007", dx,
                    plain_softmax_dx(dout, exact, 1, MANY, inner, RIGHT), all, 1e-5,
                    {"dout * out is summed in float", in_float});
    }
}

/* So many rows that a float that their losses are summed in is far off; each half has
 * losses of its own. */
Test(softmax_cross_entropy, loss_of_many_rows, .timeout = 10) {
    enum { MANY = 70001 };
    float *logits = equal_floats(2 * MANY, 0), *logsumexp = nan_floats(MANY),
          in_float = 0;
    int *wanted = checked_alloc(MANY, sizeof *wanted);
    for (size_t r = MANY / 2; r < MANY; r++) logits[2 * r] = 1;
    double *exact = plain_logsumexp(logits, MANY, 2);
    for (size_t r = 0; r < MANY; r++) in_float += (float)exact[r] - logits[2 * r];
    float loss = cross_entropy_forward(logsumexp, logits, wanted, MANY, 2);
    CHECK_NUMBER(
        "loss", loss, plain_loss_sum(logits, wanted, MANY, 2, true) / MANY, 1e-6,
        {"the losses are summed in float", &(double){(double)in_float / MANY}});
    float *dlogits = ones_and_a_half(2 * MANY), *reference = nan_floats(MANY);
    for (size_t r = 0; r < MANY; r++) reference[r] = (float)exact[r];
    double *expected = plain_softmax(logits, MANY, 2, 1);
    for (size_t r = 0; r < MANY; r++) expected[2 * r] -= 1;
    cross_entropy_backward(dlogits, MANY, logits, reference, wanted, MANY, 2);
    CHECK_ADDED("dlogits", dlogits, expected, 2 * MANY, 1e-5);
}

/* A vocabulary, of which one word is as likely as the rest together; the target is the
 * last one. */
Test(softmax_cross_entropy, loss_of_many_classes, .timeout = 10) {
    enum { MANY = 50257, TARGET = MANY - 1 }; /* GPT-2's */
    float *logits = equal_floats(MANY, 0), *dlogits = ones_and_a_half(MANY), logsumexp;
    logits[7] = logf(MANY - 1);
    logits[TARGET] = 1;
    double exact = log(2.0 * MANY - 3 + exp(1)) - 1,
           *expected = plain_softmax(logits, 1, MANY, 1);
    float loss = cross_entropy_forward(&logsumexp, logits, &(int){TARGET}, 1, MANY);
    CHECK_NUMBER("loss", loss, exact, 1e-6);
    expected[TARGET] -= 1;
    cross_entropy_backward(dlogits, 1, logits, &(float){(float)(exact + 1)},
                           &(int){TARGET}, 1, MANY);
    CHECK_ADDED("dlogits of 50257 classes", dlogits, expected, MANY, 1e-6);
}
