/* Tests of exercise 00/softmax_cross_entropy: PyTorch's numbers, large and -infinite
 * inputs, every axis, and the layers around the kernels. */
#include "00-tensors/softmax_cross_entropy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"
#include "tensor/tensor.h"
#include "check_softmax.h"

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

Test(softmax_cross_entropy, softmax_backward_terms, .timeout = 10) {
    check_backward_terms(2, 4, 3);
    check_backward_terms(3, 20, 333);
    check_backward_terms(6, 4, 1);
}

/* --- the loss --- */

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

/* The parts of the loss. */
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
                    /* a logsumexp of 1000 has few decimals */
                    strcmp(cases[c], "huge_logits") == 0 ? 1e-3 : 1e-5);
    }
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
