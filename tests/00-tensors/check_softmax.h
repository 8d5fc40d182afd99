/* Expected values of softmax along any axis for the tests of exercise
 * 00/softmax_cross_entropy, by the formulas of plain_softmax.h, and the mistakes that
 * they name. */
#ifndef TESTS_CHECK_SOFTMAX_H
#define TESTS_CHECK_SOFTMAX_H

#include "check/check.h"
#include "plain_softmax.h"

/* Thousands are compared with the right numbers alone: what is wrong with few is named
 * there. */
enum { FEW = 64 };

static inline void check_middle_axis(size_t outer, size_t n, size_t inner) {
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

static inline void check_backward_terms(size_t outer, size_t n, size_t inner) {
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

#endif
