/* Tests of the rounding that the experiment mixed-precision puts on the tape. */
#include "11-training/experiments/mixed_rounding.h"

#include "check/check.h"

Test(mixed_rounding, rounds_and_counts_what_becomes_zero, .timeout = 10) {
    float x[5] = {1.01f, 1e-8f, -1e-8f, 0, 1e6f};
    CHECK(round_floats(FORMAT_F16, x, 5) == 2, "two numbers became 0");
    CHECK_CLOSE("f16", x, ((double[]){1.0097656, 0, 0, 0}), 4, 1e-6);
    CHECK(x[4] > 1e30f, "1e6 overflows f16, and is %g", (double)x[4]);
    float y[2] = {1.01f, 1e-8f};
    CHECK(round_floats(FORMAT_BF16, y, 2) == 0, "bf16 has the range of a float");
    CHECK_CLOSE("bf16", y, ((double[]){1.0078125, 1.0011718e-8}), 2, 1e-5);
    float z[1] = {1.01f};
    CHECK(round_floats(FORMAT_F32, z, 1) == 0 && z[0] == 1.01f, "float32 stays");
}

/* y = 1.01 x, whose gradient is 1.01 w: output and gradient are rounded. */
Test(mixed_rounding, on_the_tape, .timeout = 10) {
    Rounding r = {.format = FORMAT_F16};
    Tape t = tape_create(1);
    t.watch = rounding_watch;
    t.watch_context = &r;
    float data[2] = {1, 3}, grad[2] = {0};
    Tensor x = {.ndim = 1, .shape = {2}, .data = data, .grad = grad};
    Tensor *y = tape_scale(&t, &x, 1.01f);
    tape_backward(&t, tape_weighted_sum(&t, y, (float[]){1, 1e-7f}));
    CHECK_CLOSE("y", y->data, ((double[]){1.0097656, 3.0292969}), 2, 1e-6);
    CHECK_CLOSE("dx", grad, ((double[]){1.0097656, 0x1p-23}), 2, 1e-6);
    CHECK(r.activations == 2, "%zu activations, expected 2", r.activations);
    CHECK(r.gradients == 4 && r.underflowed == 0, "%zu gradients, %zu underflowed",
          r.gradients, r.underflowed);
    tape_free(&t);
}
