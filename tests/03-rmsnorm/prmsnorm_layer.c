/* Tests of the pRMSNorm layer: it is the exercise's kernels on the tape. */
#include "03-rmsnorm/prmsnorm.h"

#include "check.h"
#include "dies.h"
#include "gradcheck.h"
#include <stdlib.h>

#include "plain_rmsnorm.h"

enum { ROWS = 4, DIM = 6, PART = 2, SIZE = ROWS * DIM };
static const double EPS = 1e-3;

/* x, then the gain. */
static double scalar(const double *values, size_t n, void *weights) {
    const double *w = weights;
    double *out = plain_forward(values, values + SIZE, ROWS, DIM, PART, EPS, RIGHT), sum = 0;
    (void)n;
    for (size_t i = 0; i < SIZE; i++) sum += w[i] * out[i];
    free(out);
    return sum;
}

Test(prmsnorm_layer, gradients, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    PRMSNorm l = prmsnorm_create(&params, DIM, PART, (float)EPS, "norm");
    CHECK(params_count(&params) == DIM, "%zu parameters, expected %d", params_count(&params), DIM);
    Tensor *gain = params_find(&params, "norm.weight");
    CHECK(gain && gain->data[0] == 1.0f && gain->data[DIM - 1] == 1.0f, "norm.weight does not start as ones");
    Random r = random_create(4);
    random_fill_normal(&r, gain->data, DIM, 1);
    Tape t = tape_create(1);
    Tensor *x = tape_output(&t, 3, (size_t[]){2, ROWS / 2, DIM}, true);
    random_fill_normal(&r, x->data, SIZE, 2);
    float *weights = normal_floats(SIZE, 1, 3);
    Tensor *sum = tape_weighted_sum(&t, layer_forward(&t, prmsnorm_layer(&l), x), weights);
    tape_backward(&t, sum);
    double values[SIZE + DIM], expected[SIZE + DIM];
    for (size_t i = 0; i < SIZE; i++) values[i] = (double)x->data[i];
    for (size_t i = 0; i < DIM; i++) values[SIZE + i] = (double)gain->data[i];
    double *weights_d = as_double(weights, SIZE);
    CHECK_NUMBER("the output", sum->data[0], scalar(values, SIZE + DIM, weights_d), 1e-5);
    numeric_gradient(expected, scalar, values, SIZE + DIM, 1e-5, weights_d);
    CHECK_CLOSE("dx", x->grad, expected, SIZE, 1e-5);
    CHECK_CLOSE("dgain", gain->grad, expected + SIZE, DIM, 1e-5);
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
    prmsnorm(&t, &l, tape_input(&t, 2, (size_t[]){ROWS, DIM}, normal_floats(SIZE, 1, 1)));
}

Test(prmsnorm_layer, refuses, .timeout = 10) {
    size_t none = 0, more = DIM + 1;
    expect_exit(EXIT_INPUT, "prmsnorm: a part of 0, expected 1 to 6", create, &none);
    expect_exit(EXIT_INPUT, "prmsnorm: a part of 7, expected 1 to 6", create, &more);
    expect_exit(EXIT_INPUT, "prmsnorm: x is [4, 6], expected a last axis of 7", wrong_width, NULL);
}
