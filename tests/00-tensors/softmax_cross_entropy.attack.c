/* An attack on 00/softmax_cross_entropy: all three forms by their formulas, lines along
 * a middle axis, numbers that exp cannot take, ignored rows. */
#include "00-tensors/softmax_cross_entropy.h"

#include <math.h>

#include "check/check.h"

static void check_softmax(float *x, size_t outer, size_t n, size_t inner) {
    size_t size = outer * n * inner;
    float *out = nan_floats(size), *dx = ones_and_a_half(size),
          *dout = normal_floats(size, 1, 2);
    double *p = as_double(x, size), *right_dx = as_double(dx, size);
    for (size_t line = 0; line < outer * inner; line++) {
        size_t start = line / inner * n * inner + line % inner, end = start + n * inner;
        double max = -INFINITY, sum = 0, mean = 0;
        for (size_t i = start; i < end; i += inner) max = fmax(max, p[i]);
        for (size_t i = start; i < end; i += inner) sum += p[i] = exp(p[i] - max);
        for (size_t i = start; i < end; i += inner)
            mean += (double)dout[i] * (p[i] /= sum);
        for (size_t i = start; i < end; i += inner)
            right_dx[i] += p[i] * ((double)dout[i] - mean);
    }
    softmax_forward(out, x, outer, n, inner);
    CHECK_CLOSE("out", out, p, size, 1e-5);
    softmax_backward(dx, dout, out, outer, n, inner);
    CHECK_CLOSE("dx", dx, right_dx, size, 1e-5);
}

Test(attack, softmax_along_any_axis) {
    check_softmax(normal_floats(2 * 5 * 3, 2, 1), 2, 5, 3);
    check_softmax(normal_floats(4 * 5, 2, 1), 4, 5, 1);
}

Test(attack, softmax_of_extremes) {
    check_softmax((float[]){1000, -2, -1000, -1, 999, -INFINITY}, 1, 3, 2);
    check_softmax((float[]){-1000, -1001, -1002, -999}, 1, 2, 2);
}

static void check_loss(float offset) {
    enum { ROWS = 3, CLASSES = 4, SIZE = ROWS * CLASSES };
    float *logits = normal_floats(SIZE, 1, 3), log_sums[ROWS],
          *dlogits = ones_and_a_half(SIZE);
    int targets[ROWS] = {2, IGNORE_TARGET, 0};
    double loss = 0, logsumexp[ROWS], right[SIZE];
    for (size_t i = 0; i < SIZE; i++) logits[i] += offset;
    for (size_t r = 0; r < ROWS; r++) {
        double sum = 0, *d = right + r * CLASSES;
        const float *row = logits + r * CLASSES;
        for (size_t i = 0; i < CLASSES; i++)
            sum += d[i] = exp((double)(row[i] - offset));
        logsumexp[r] = log(sum) + (double)offset;
        if (targets[r] >= 0) loss += (logsumexp[r] - (double)row[targets[r]]) / 2;
        for (size_t i = 0; i < CLASSES; i++)
            d[i] = 1.5 +
                   (targets[r] < 0 ? 0 : 3 * (d[i] / sum - ((int)i == targets[r])) / 2);
    }
    CHECK_NUMBER("loss",
                 cross_entropy_forward(log_sums, logits, targets, ROWS, CLASSES), loss,
                 1e-4);
    CHECK_CLOSE("logsumexp", log_sums, logsumexp, ROWS, 1e-5);
    cross_entropy_backward(dlogits, 3, logits, log_sums, targets, ROWS, CLASSES);
    CHECK_CLOSE("dlogits", dlogits, right, SIZE, 1e-4);
}

Test(attack, loss) {
    check_loss(0);
    check_loss(200);
}

/* The last class of more than a byte can count, far above the others. */
Test(attack, loss_of_many_classes) {
    enum { MANY = 300 };
    float *logits = equal_floats(MANY, 0), log_sum;
    logits[MANY - 1] = 50;
    CHECK_NUMBER(
        "loss", cross_entropy_forward(&log_sum, logits, (int[]){MANY - 1}, 1, MANY) + 1,
        1, 1e-5);
}

/* One row far above the other. */
Test(attack, loss_of_rows_far_apart) {
    float logits[4] = {1000, 0, -1000, 0}, log_sums[2];
    CHECK_NUMBER("loss", cross_entropy_forward(log_sums, logits, (int[]){1, 0}, 2, 2),
                 1000, 1e-5);
}

Test(attack, loss_of_no_rows) {
    float logits[2] = {1, 2}, log_sum;
    CHECK(isnan(cross_entropy_forward(&log_sum, logits, (int[]){IGNORE_TARGET}, 1, 2)),
          "expected NaN");
}
