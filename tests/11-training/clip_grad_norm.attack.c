/* An attack on 11/clip_grad_norm: a vector and a matrix with gradients 3 and 4 0 12,
 * whose norm is 13, above and below the limit, and of 0; a model that has no gradients;
 * and small gradients behind a large one. */
#include "11-training/clip_grad_norm.h"

#include <math.h>

#include "check/check.h"

static void check_limit(double limit, double scale) {
    Params params = {.mode = PARAMS_TRAIN};
    Tensor *a = params_add(&params, 1, (size_t[]){1}, "a"),
           *b = params_add(&params, 2, (size_t[]){1, 3}, "b");
    a->grad[0] = 3;
    b->grad[0] = 4;
    b->grad[2] = -12;
    CHECK_NUMBER("norm", clip_grad_norm(&params, limit), 13, 1e-6);
    CHECK_NUMBER("gradient of a", a->grad[0], 3 * scale, 1e-6);
    CHECK_CLOSE("gradient of b", b->grad, ((double[]){4 * scale, 0, -12 * scale}), 3,
                1e-6);
}

Test(attack, limits) {
    check_limit(6.5, 0.5);
    check_limit(1, 1.0 / 13);
    check_limit(20, 1);
    check_limit(0, 0);
}

Test(attack, no_gradients) {
    Params params = {.mode = PARAMS_INFER};
    params_add(&params, 1, (size_t[]){1}, "a");
    CHECK(clip_grad_norm(&params, 1) == 0, "the norm of nothing is not 0");
}

Test(attack, small_ones_behind_a_large_one) {
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 1, (size_t[]){5001}, "a")->grad;
    grad[0] = 4096;
    for (size_t i = 1; i < 5001; i++) grad[i] = 1;
    CHECK_NUMBER("norm", clip_grad_norm(&params, 1e6), sqrt(4096 * 4096 + 5000), 2e-5);
}
