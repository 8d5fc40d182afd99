/* Tests of relu.c: PyTorch's numbers, the corner at 0, NaN. */
#include "00-tensors/relu.h"

#include <math.h>

#include "check/check.h"
#include "check/golden.h"

static void check_case(const char *name) {
    size_t n;
    float *x = golden_float("activation", name, "x", &n), *out = nan_floats(n),
          *dx = ones_and_a_half(n);
    relu_forward(out, x, n);
    CHECK_CLOSE(name, out, golden("activation", name, "y", NULL), n, 1e-7);
    relu_backward(dx, golden_float("activation", name, "dy", NULL), x, n);
    CHECK_ADDED("dx", dx, golden("activation", name, "dx", NULL), n, 1e-6);
}

Test(relu, equals_pytorch, .timeout = 10) {
    check_case("relu_grid");
    check_case("relu_rand");
}

/* A NaN that turns into a 0 hides where it came from. */
Test(relu, keeps_nan, .timeout = 10) {
    float out[2];
    relu_forward(out, (float[]){NAN, -1}, 2);
    CHECK(isnan(out[0]) && out[1] == 0, "relu(NaN) = %g, relu(-1) = %g", (double)out[0],
          (double)out[1]);
}

Test(relu, slope_at_zero_is_zero, .timeout = 10) {
    float dx[3] = {0};
    relu_backward(dx, (float[]){5, 5, 5}, (float[]){0.0f, -0.0f, 1e-30f}, 3);
    CHECK_CLOSE("dx at 0, -0 and just above", dx, ((double[]){0, 0, 5}), 3, 1e-7);
}

Test(relu, gradient_through_the_tape, .timeout = 10) {
    Tape t = tape_create(1);
    Tensor x = {.ndim = 2,
                .shape = {2, 2},
                .data = (float[]){1, -1, 2, -2},
                .grad = ones_and_a_half(4)};
    Tensor *out = relu(&t, &x);
    tape_backward(&t, tape_weighted_sum(&t, out, (float[]){10, 20, 30, 40}));
    CHECK_CLOSE("out", out->data, ((double[]){1, 0, 2, 0}), 4, 1e-7);
    CHECK_ADDED("dx", x.grad, ((double[]){10, 0, 30, 0}), 4, 1e-7);
}
