/* Tests of the pRMSNorm layer: it is the exercise's kernels on the tape. */
#include "03-rmsnorm/prmsnorm_layer.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"
#include "check/layer_gradient.h"
#include "plain_rmsnorm.h"

enum { ROWS = 4, DIM = 6, PART = 2, SIZE = ROWS * DIM };
static const double EPS = 1e-3;

typedef struct {
    const PRMSNorm *norm;
    Tensor *x;
} Context;

static Tensor *run(Tape *t, void *context) {
    const Context *c = context;
    return layer_forward(t, prmsnorm_layer(c->norm), c->x);
}

static void plain(double *out, const double *const *in, void *context) {
    (void)context;
    Pass p = {ROWS, DIM, PART, SIZE, EPS, .x_double = in[0], .gain_double = in[1]};
    double *row_by_row = plain_forward(&p, EPS, RIGHT);
    memcpy(out, row_by_row, SIZE * sizeof *out);
    free(row_by_row);
}

Test(prmsnorm_layer, gradients, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    PRMSNorm l = prmsnorm_create(&params, DIM, PART, (float)EPS, "norm");
    CHECK(params_count(&params) == DIM, "%zu parameters, expected %d",
          params_count(&params), DIM);
    Tensor *gain = params_find(&params, "norm.weight");
    CHECK(gain && gain->data[0] == 1.0f && gain->data[DIM - 1] == 1.0f,
          "norm.weight does not start as ones");
    Tensor *x = params_add(&params, 3, (size_t[]){2, ROWS / 2, DIM}, "x");
    check_layer_gradient(&(LayerGradient){.layer = run,
                                          .plain = plain,
                                          .context = &(Context){&l, x},
                                          .of = {{"dx", x}, {"dgain", gain}}});
}

static void create(void *part) {
    Params params = {.mode = PARAMS_TRAIN};
    prmsnorm_create(&params, DIM, *(size_t *)part, 1e-5f, "norm");
}

static void wrong_width(void *unused) {
    (void)unused;
    Params params = {.mode = PARAMS_TRAIN};
    PRMSNorm l = prmsnorm_create(&params, DIM + 1, PART, 1e-5f, "norm");
    Tape t = tape_create(1);
    prmsnorm(&t, &l,
             tape_input(&t, 2, (size_t[]){ROWS, DIM}, normal_floats(SIZE, 1, 1)));
}

Test(prmsnorm_layer, refuses, .timeout = 10) {
    size_t none = 0, more = DIM + 1;
    expect_exit(EXIT_INPUT, "prmsnorm: a part of 0, expected 1 to 6", create, &none);
    expect_exit(EXIT_INPUT, "prmsnorm: a part of 7, expected 1 to 6", create, &more);
    expect_exit(EXIT_INPUT, "prmsnorm: x is [4, 6], expected a last axis of 7",
                wrong_width, NULL);
}
