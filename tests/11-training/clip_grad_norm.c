/* Tests of exercise 11/clip_grad_norm. */
#include "11-training/clip_grad_norm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"

/* Three parameters with the gradients of the golden case. */
static void golden_case(const char *name) {
    Params params = {.mode = PARAMS_TRAIN};
    size_t n[3];
    for (size_t i = 0; i < 3; i++) {
        char tensor[8];
        snprintf(tensor, sizeof tensor, "g%zu", i);
        float *g = golden_float("clip", name, tensor, &n[i]);
        memcpy(params_add(&params, 1, &n[i], tensor)->grad, g, n[i] * sizeof *g);
    }
    double total = clip_grad_norm(&params, golden_attr("clip", name, "max_norm"));
    double norm = golden("clip", name, "total_norm", NULL)[0],
           limit = golden_attr("clip", name, "max_norm");
    CHECK_NUMBER("the returned norm", total, norm, 1e-6,
                 {"the norm is taken after clipping", &limit},
                 {"the scale is returned", (double[]){limit / (norm + 1e-6)}});
    for (size_t i = 0; i < 3; i++) {
        char tensor[16], before[16];
        snprintf(tensor, sizeof tensor, "clipped%zu", i);
        snprintf(before, sizeof before, "g%zu", i);
        AXES({"element", "n", n[i]});
        KNOW_AS("the gradient before", golden("clip", name, before, NULL), "element");
        know_number("the norm", norm);
        know_number("max_norm", limit);
        CHECK_CLOSE(tensor, params.items[i].tensor->grad,
                    golden("clip", name, tensor, NULL), n[i], 1e-6);
    }
}

Test(clip_grad_norm, above_the_limit, .timeout = 10) {
    golden_case("above");
}
Test(clip_grad_norm, below_the_limit, .timeout = 10) {
    golden_case("below");
}
Test(clip_grad_norm, all_zero, .timeout = 10) {
    golden_case("zero");
}

/* 3, 12 and -4 have a norm of 13 together; the two parameters have sqrt(153) and 4. */
Test(clip_grad_norm, one_scale_for_all, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    float *a = params_add(&params, 1, (size_t[]){2}, "a")->grad;
    a[0] = 3.0f;
    a[1] = 12.0f;
    params_add(&params, 1, (size_t[]){1}, "b")->grad[0] = -4.0f;
    clip_grad_norm(&params, 1.0);
    const float *x = params.items[0].tensor->grad;
    float got[3] = {x[0], x[1], params.items[1].tensor->grad[0]};
    double own = sqrt(153), sum = own + 4;
    AXES({"element", "n", 3});
    KNOW_AS("the gradient before", ((double[]){3, 12, -4}), "element");
    know_number("the norm", 13);
    CHECK_CLOSE(
        "the gradients 3, 12 and -4, clipped to 1,", got,
        ((double[]){3.0 / 13, 12.0 / 13, -4.0 / 13}), 3, 1e-5,
        {"each parameter is clipped by its own norm",
         (double[]){3 / own, 12 / own, -1}},
        {"each element is clipped to the limit by itself", (double[]){1, 1, -1}},
        {"the norms are added instead of their squares",
         (double[]){3 / sum, 12 / sum, -4 / sum}},
        {"the scale is divided by the square of the norm",
         (double[]){3.0 / 169, 12.0 / 169, -4.0 / 169}},
        {"the scale is upside down: norm / max_norm", (double[]){39, 156, -52}},
        {"nothing is scaled", (double[]){3, 12, -4}});
}

/* A matrix is clipped like a vector, and all of it: 36 elements of 0.5 have a norm of
 * 3, one of 4 makes 5. */
Test(clip_grad_norm, a_matrix, .timeout = 10) {
    enum { ROWS = 4, COLUMNS = 9, N = ROWS * COLUMNS };
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 2, (size_t[]){ROWS, COLUMNS}, "matrix")->grad;
    double expected[N];
    for (size_t i = 0; i < N; i++) {
        grad[i] = 0.5f;
        expected[i] = 0.1;
    }
    params_add(&params, 1, (size_t[]){1}, "bias")->grad[0] = 4;
    CHECK_NUMBER("the returned norm", clip_grad_norm(&params, 1), 5, 1e-6);
    AXES({"element", "n", N});
    know_number("shape[0]", ROWS);
    CHECK_CLOSE("a matrix", params.items[0].tensor->grad, expected, N, 1e-5);
    CHECK_CLOSE("the bias behind it", params.items[1].tensor->grad, ((double[]){0.8}),
                1, 1e-5);
}

/* A limit of 0 is a limit: it leaves nothing. */
Test(clip_grad_norm, a_limit_of_0, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 1, (size_t[]){2}, "a")->grad;
    grad[0] = 3;
    grad[1] = 4;
    clip_grad_norm(&params, 0);
    CHECK_CLOSE(
        "the gradients 3 and 4, with a limit of 0,", params.items[0].tensor->grad,
        ((double[]){0, 0}), 2, 1e-6,
        {"a limit of 0 turns clipping off: min(1, 0 / total) is 0", (double[]){3, 4}});
}

/* A norm of 5 and a limit of 7: nothing is to be done. */
Test(clip_grad_norm, a_little_below_the_limit, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 1, (size_t[]){2}, "a")->grad;
    grad[0] = 3;
    grad[1] = 4;
    clip_grad_norm(&params, 7);
    CHECK_CLOSE(
        "the gradients 3 and 4, with a limit of 7,", params.items[0].tensor->grad,
        ((double[]){3, 4}), 2, 1e-6,
        {"gradients below the limit are scaled up to it: the scale is at most 1",
         (double[]){4.2, 5.6}});
}

Test(clip_grad_norm, a_parameter_without_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    params_add(&params, 1, (size_t[]){3}, "frozen");
    crash_means("a frozen parameter's gradient is read: its grad is NULL");
    CHECK_NUMBER("the returned norm", clip_grad_norm(&params, 1.0), 0, 1e-6);
}

/* A frozen parameter stands before one that learns: the second is clipped all the
 * same. */
Test(clip_grad_norm, a_frozen_parameter_comes_first, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    params_add(&params, 1, (size_t[]){3}, "frozen");
    params.mode = PARAMS_TRAIN;
    float *grad = params_add(&params, 1, (size_t[]){2}, "learns")->grad;
    grad[0] = 3;
    grad[1] = 4;
    crash_means("a frozen parameter's gradient is read: its grad is NULL");
    CHECK_NUMBER("the returned norm", clip_grad_norm(&params, 1.0), 5, 1e-6,
                 {"nothing behind a frozen parameter is summed", &(double){0}});
    CHECK_CLOSE("the gradients 3 and 4, clipped to 1,", params.items[1].tensor->grad,
                ((double[]){0.6, 0.8}), 2, 1e-5,
                {"nothing behind a frozen parameter is scaled", (double[]){3, 4}});
}

/* A norm of 5e-6 and a limit of 1e-6: the 1e-6 below the fraction bar is a sixth of
 * it. */
Test(clip_grad_norm, tiny_gradients, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 1, (size_t[]){2}, "a")->grad;
    grad[0] = 3e-6f;
    grad[1] = 4e-6f;
    clip_grad_norm(&params, 1e-6);
    CHECK_CLOSE("the gradients", params.items[0].tensor->grad,
                ((double[]){0.5e-6, 4e-6 / 6}), 2, 1e-4,
                {"1e-6 is not added to the norm", (double[]){0.6e-6, 0.8e-6}},
                {"they are clipped to a norm of 1, whatever max_norm is",
                 (double[]){0.5, 4.0 / 6}});
}

Test(clip_grad_norm, thousands, .timeout = 10) {
    enum { N = 5003 };
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 1, (size_t[]){N}, "a")->grad;
    double expected[N], squares = 0;
    for (size_t i = 0; i < N; i++) {
        expected[i] = (double)(1 + i % 3) * (i % 2 ? 1 : -1);
        grad[i] = (float)expected[i];
        squares += expected[i] * expected[i];
    }
    double norm = sqrt(squares);
    for (size_t i = 0; i < N; i++) expected[i] /= norm;
    CHECK_NUMBER("the returned norm", clip_grad_norm(&params, 1.0), norm, 1e-6);
    AXES({"element", "n", N});
    CHECK_CLOSE("the gradients", params.items[0].tensor->grad, expected, N, 1e-5);
}

/* 4096^2 = 2^24, to which a float cannot add 1. A sum of parts loses less than the
 * tolerance. */
Test(clip_grad_norm, small_ones_behind_a_large_one, .timeout = 10) {
    enum { N = 5003, LARGE = 4096 };
    Params params = {.mode = PARAMS_TRAIN};
    float *grad = params_add(&params, 1, (size_t[]){N}, "a")->grad;
    grad[0] = LARGE;
    for (size_t i = 1; i < N; i++) grad[i] = 1;
    double norm = sqrt(LARGE * LARGE + N - 1);
    CHECK_NUMBER("the returned norm of 4096 and 5002 ones",
                 clip_grad_norm(&params, 2 * norm), norm, 2e-5,
                 {"the squares are summed in float, where small ones behind a large "
                  "one are lost",
                  &(double){LARGE}});
}
