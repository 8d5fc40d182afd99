/* Tests of exercise 11/clip_grad_norm. */
#include "11-training/clip_grad_norm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "golden.h"

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
    double norm = golden("clip", name, "total_norm", NULL)[0], limit = golden_attr("clip", name, "max_norm");
    CHECK_NUMBER("the returned norm", total, norm, 1e-6, {"the norm is taken after clipping", &limit},
                 {"the scale is returned", (double[]){limit / (norm + 1e-6)}});
    for (size_t i = 0; i < 3; i++) {
        char tensor[16];
        snprintf(tensor, sizeof tensor, "clipped%zu", i);
        CHECK_CLOSE(tensor, params.items[i].tensor->grad, golden("clip", name, tensor, NULL), n[i], 1e-6);
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

/* Norms 3 and 4: 5 together. Clipped to 1, they must become 0.6 and 0.8. */
Test(clip_grad_norm, one_scale_for_all, .timeout = 10) {
    Params params = {.mode = PARAMS_TRAIN};
    params_add(&params, 1, (size_t[]){1}, "a")->grad[0] = 3.0f;
    params_add(&params, 1, (size_t[]){1}, "b")->grad[0] = -4.0f;
    clip_grad_norm(&params, 1.0);
    float got[2] = {params.items[0].tensor->grad[0], params.items[1].tensor->grad[0]};
    CHECK_CLOSE("the gradients 3 and -4, clipped to 1,", got, ((double[]){0.6, -0.8}), 2, 1e-5,
                {"each parameter is clipped by its own norm", (double[]){1, -1}},
                {"each element is clipped to the limit by itself", (double[]){1, -1}},
                {"the norms are added (7) instead of their squares (5)", (double[]){3.0 / 7, -4.0 / 7}},
                {"the scale is divided by the square of the norm", (double[]){3.0 / 25, -4.0 / 25}},
                {"the scale is upside down: norm / max_norm", (double[]){15, -20}},
                {"nothing is scaled", (double[]){3, -4}});
}

Test(clip_grad_norm, a_parameter_without_gradient, .timeout = 10) {
    Params params = {.mode = PARAMS_INFER};
    params_add(&params, 1, (size_t[]){3}, "frozen");
    crash_means("a frozen parameter's gradient is read: its grad is NULL");
    CHECK_NUMBER("the returned norm", clip_grad_norm(&params, 1.0), 0, 1e-6);
}
