/* Tests of what the experiment mixed-precision counts on the tape. */
#include "11-training/experiments/mixed_rounding.h"

#include "check/check.h"

/* y = 1.01 x, whose gradient is 1.01 w: output and gradient are rounded. */
Test(mixed_rounding, on_the_tape, .timeout = 10) {
    Rounding r = {.precision = PRECISION_FLOAT16};
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
