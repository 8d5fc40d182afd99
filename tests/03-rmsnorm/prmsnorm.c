/* Tests of exercise 03/prmsnorm. */
#include "03-rmsnorm/prmsnorm.h"
#include "03-rmsnorm/prmsnorm_layer.h"

#include <stdio.h>

#include "check/check.h"
#include "plain_rmsnorm.h"

/* "out with part 2 of 8": what a failure calls it. */
static const char *of_part(const char *what, size_t part, size_t dim) {
    static char text[64];
    snprintf(text, sizeof text, "%s with part %zu of %zu", what, part, dim);
    return text;
}

static void check_forward(const float *x, const float *gain, size_t rows, size_t dim,
                          size_t part, float eps) {
    float *out = nan_floats(rows * dim), *rrms = nan_floats(rows);
    Pass p = pass_of(x, gain, NULL, rows, dim, part, (double)eps);
    may_lack_gain(gain);
    prmsnorm_forward(out, rrms, x, gain, rows, dim, part, eps);
    know_pass(&p);
#define PLAIN(variation) plain_forward(&p, p.eps, variation)
    CHECK_CLOSE(
        of_part("out", part, dim), out, PLAIN(RIGHT), rows * dim, 1e-5,
        {"part is ignored: the whole row is measured", PLAIN(WHOLE_ROW)},
        {"the sum over part is divided by dim", PLAIN(DIVIDED_BY_DIM)},
        {"the last elements are measured, not the first", PLAIN(LAST_PART)},
        {"one element too many is measured: the first `part` end at part - 1",
         PLAIN(ONE_MORE)},
        {"only the measured elements are scaled: all must be", PLAIN(ONLY_PART_SCALED)},
        {"eps is added to the root mean square, outside the root", PLAIN(EPS_OUTSIDE)},
        {"eps is left out", PLAIN(NO_EPS)},
        {"1e-5 stands for eps, whatever the argument says",
         plain_forward(&p, 1e-5, RIGHT)},
        {"the gain is left out", PLAIN(NO_GAIN)},
        {"it is divided by the mean square: the root is missing", PLAIN(NO_ROOT)});
#undef PLAIN
    double *expected = as_double(p.rrms, rows), *rms = as_double(p.rrms, rows);
    for (size_t r = 0; r < rows; r++) rms[r] = 1 / rms[r];
    CHECK_CLOSE(of_part("rrms", part, dim), rrms, expected, rows, 1e-5,
                {"rrms holds the root mean square, not 1 over it", rms});
}

Test(prmsnorm, forward_part, .timeout = 10) {
    enum { ROWS = 3, DIM = 8 };
    float *x = normal_floats(ROWS * DIM, 1, 1);
    for (size_t part = 1; part < DIM; part++)
        check_forward(x, NULL, ROWS, DIM, part, 1e-5f);
}

Test(prmsnorm, forward_whole_row_is_rmsnorm, .timeout = 10) {
    enum { ROWS = 3, DIM = 40 };
    check_forward(normal_floats(ROWS * DIM, 1, 2), NULL, ROWS, DIM, DIM, 0.01f);
}

Test(prmsnorm, forward_tiny_rows, .timeout = 10) {
    enum { ROWS = 3, DIM = 8 };
    check_forward(normal_floats(ROWS * DIM, 1e-3, 3), NULL, ROWS, DIM, 5, 3e-6f);
}

Test(prmsnorm, forward_gain, .timeout = 10) {
    enum { ROWS = 3, DIM = 6 };
    check_forward(normal_floats(ROWS * DIM, 1, 4), normal_floats(DIM, 1, 5), ROWS, DIM,
                  2, 1e-5f);
}

/* (3, 4, 100, 200) with part = 2: 100 and 200 are scaled by what 3 and 4 say. */
Test(prmsnorm, forward_by_hand, .timeout = 10) {
    float x[4] = {3, 4, 100, 200}, *out = nan_floats(4), *rrms = nan_floats(1);
    double s = 1 / sqrt(12.5), expected[4] = {3 * s, 4 * s, 100 * s, 200 * s};
    may_lack_gain(NULL);
    prmsnorm_forward(out, rrms, x, NULL, 1, 4, 2, 0);
    CHECK_CLOSE("out", out, expected, 4, 1e-6);
    CHECK_NUMBER("rrms", rrms[0], s, 1e-6);
}

enum { ROWS = 3, DIM = 6, SIZE = ROWS * DIM };
/* large, so that an eps of its own in the backward pass shows */
static const double EPS = 0.01;

/* Of the gradients one is left out. */
static void backward(const Pass *p, float *dx, float *dgain) {
    if (p->gain)
        crash_means(dx ? "dgain is added to though it is NULL"
                       : "dx is added to though it is NULL");
    else
        crash_means("gain[i] is read though gain is NULL, or dgain is added to though "
                    "it is NULL");
    prmsnorm_backward(dx, dgain, p->dout, p->x, p->rrms, p->gain, p->rows, p->dim,
                      p->part);
    know_pass(p);
}

#define DX(...) plain_dx(&p, p.eps, (BackwardMistake){__VA_ARGS__})
#define DGAIN(...) plain_dgain(&p, (DgainMistake){__VA_ARGS__})

static void check_backward(size_t part, bool has_gain) {
    Pass p =
        pass_of(normal_floats(SIZE, 2, 7), has_gain ? normal_floats(DIM, 1, 8) : NULL,
                normal_floats(SIZE, 1, 9), ROWS, DIM, part, EPS);
    backward(&p, p.dx, NULL);
    CHECK_ADDED(of_part("dx", part, DIM), p.dx, DX(false), SIZE, 1e-5,
                {"rrms is taken as a constant in dx: it depends on x too",
                 DX(.no_xhat_term = true)},
                {"the sum of g * xhat stops at part: every output has the scale in it",
                 DX(.sum_over_part = true)},
                {"elements that were not measured get a share too",
                 DX(.subtracted_everywhere = true)},
                {"the sum of g * xhat is divided by dim instead of part",
                 DX(.divided_by_dim = true)},
                {"this is RMSNorm's dx: part is ignored",
                 DX(.subtracted_everywhere = true, .divided_by_dim = true)},
                {"the gain is left out of dx", DX(.no_gain = true)},
                {"the gain is left out of the sum: it is of g * xhat, g = dout * gain",
                 DX(.no_gain_in_sum = true)},
                {"the sum of g * xhat is not divided by part", DX(.not_divided = true)},
                {"the gain is left out of g where elements were not measured",
                 DX(.no_gain_in_rest = true)},
                {"elements that were not measured get no gradient: they are scaled too",
                 DX(.rest_left_out = true)});
}

Test(prmsnorm, backward_terms_of_dx, .timeout = 10) {
    for (size_t part = DIM; part > 0; part--) check_backward(part, true);
}

Test(prmsnorm, backward_without_gain, .timeout = 10) {
    check_backward(4, false);
}

Test(prmsnorm, backward_dgain, .timeout = 10) {
    Pass p = random_pass(ROWS, DIM, 2, EPS, 7);
    backward(&p, NULL, p.dgain);
    CHECK_ADDED(
        "dgain (dx is NULL)", p.dgain, DGAIN(false), DIM, 1e-5,
        {"dgain is multiplied by the gain", DGAIN(.with_gain = true)},
        {"dgain takes x where xhat = x * rrms belongs", DGAIN(.without_rrms = true)},
        {"dgain stops at part: every element has a gain", DGAIN(.only_part = true)});
}

static void check_size(size_t rows, size_t dim, size_t part) {
    Pass p = random_pass(rows, dim, part, EPS, 20);
    check_forward(p.x, p.gain, rows, dim, part, 1e-5f);
    prmsnorm_backward(p.dx, p.dgain, p.dout, p.x, p.rrms, p.gain, rows, dim, part);
    know_pass(&p);
    CHECK_ADDED(with_size("dx", rows, dim), p.dx, DX(false), p.n, 1e-5);
    CHECK_ADDED(with_size("dgain", rows, dim), p.dgain, DGAIN(false), dim, 1e-5);
}

Test(prmsnorm, thousands, .timeout = 10) {
    check_size(3, 5003, 4999);
    check_size(5003, 3, 2);
}
