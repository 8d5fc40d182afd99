/* Tests of optimizer.c: one step of SGD, AdamW over a list of parameters. */
#include "00-tensors/optimizer.h"

#include <math.h>

#include "check/check.h"
#include "check/dies.h"
#include "base/error.h"

/* A weight [2, 2] and a bias [2]; the data is 1, 2, 3 ... and all gradients are
 * `gradient`. */
static Params two_parameters(float gradient) {
    Params params = {.mode = PARAMS_TRAIN};
    params_add(&params, 2, (size_t[]){2, 2}, "fc.weight");
    params_add(&params, 1, (size_t[]){2}, "fc.bias");
    float next = 1;
    for (size_t i = 0; i < params.n; i++) {
        Tensor *x = params.items[i].tensor;
        for (size_t j = 0; j < tensor_size(x); j++) {
            x->data[j] = next++;
            x->grad[j] = gradient;
        }
    }
    return params;
}

Test(optimizer, sgd_step, .timeout = 10) {
    Params params = two_parameters(2);
    sgd_step(&params, 0.25f);
    CHECK_CLOSE("weight", params.items[0].tensor->data,
                ((double[]){0.5, 1.5, 2.5, 3.5}), 4, 1e-6);
    CHECK_CLOSE("bias", params.items[1].tensor->data, ((double[]){4.5, 5.5}), 2, 1e-6);
}

/* With a gradient of zero only the decay moves anything. */
Test(optimizer, adamw_decays_weights_but_not_biases, .timeout = 10) {
    Params params = two_parameters(0);
    AdamW optimizer = adamw_create(&params, 0.1f, 0.5f);
    adamw_step(&optimizer, &params);
    CHECK_CLOSE("weight", params.items[0].tensor->data,
                ((double[]){0.95, 1.9, 2.85, 3.8}), 4, 1e-6);
    CHECK_CLOSE("bias", params.items[1].tensor->data, ((double[]){5, 6}), 2, 1e-6);
    adamw_free(&optimizer);
}

/* With a constant gradient m / c1 = g and v / c2 = g^2 at every step: each moves by the
 * learning rate. */
Test(optimizer, adamw_counts_its_steps, .timeout = 10) {
    Params params = two_parameters(0.5f);
    AdamW optimizer = adamw_create(&params, 0.1f, 0);
    for (int i = 0; i < 5; i++) adamw_step(&optimizer, &params);
    CHECK(optimizer.step == 5, "step is %zu after 5 steps", optimizer.step);
    CHECK_CLOSE("weight", params.items[0].tensor->data,
                ((double[]){0.5, 1.5, 2.5, 3.5}), 4, 1e-5);
    CHECK_CLOSE("bias", params.items[1].tensor->data, ((double[]){4.5, 5.5}), 2, 1e-5);
    adamw_free(&optimizer);
}

/* Each parameter has its own part of m and v. */
Test(optimizer, adamw_moments_follow_their_parameter, .timeout = 10) {
    Params params = two_parameters(0);
    params.items[1].tensor->grad[1] = 3;
    AdamW optimizer = adamw_create(&params, 0.1f, 0);
    adamw_step(&optimizer, &params);
    CHECK_CLOSE("m", optimizer.m, ((double[]){0, 0, 0, 0, 0, 0.3}), 6, 1e-6);
    CHECK_CLOSE("v", optimizer.v, ((double[]){0, 0, 0, 0, 0, 0.009}), 6, 1e-4);
    adamw_free(&optimizer);
}

static void step_with_one_parameter_more(void *unused) {
    (void)unused;
    Params params = two_parameters(0);
    AdamW optimizer = adamw_create(&params, 0.1f, 0);
    params_add(&params, 1, (size_t[]){1}, "late");
    adamw_step(&optimizer, &params);
}

Test(optimizer, adamw_refuses_other_parameters, .timeout = 10) {
    expect_exit(EXIT_INPUT, "not those of adamw_create", step_with_one_parameter_more,
                NULL);
}

/* In parts that threads share out, all numbers move as they do in one call, and none
 * behind them does. */
Test(optimizer, adamw_parts_are_the_whole, .timeout = 10) {
    enum { PART = 1 << 14, MOST = 3 * PART, ROOM = MOST + 1 };
    static float one[3][ROOM], parts[3][ROOM], grad[ROOM]; /* parameters, m, v */
    static const size_t sizes[] = {PART - 1, PART, PART + 1, MOST - 5, MOST};
    const AdamWSettings settings = {0.1f, 0.9f, 0.99f, 1e-8f, 0.5f};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t n = sizes[s];
        for (size_t i = 0; i < 3 * ROOM; i++)
            one[i / ROOM][i % ROOM] = parts[i / ROOM][i % ROOM] = (float)(i % 97);
        for (size_t i = 0; i < ROOM; i++) grad[i] = (float)(i % 89) - 44;
        adamw_update(one[0], one[1], one[2], grad, n, &settings, 3);
        adamw_update_parts(parts[0], parts[1], parts[2], grad, n, &settings, 3);
        for (size_t i = 0; i < 3 * ROOM; i++) {
            float whole = one[i / ROOM][i % ROOM], part = parts[i / ROOM][i % ROOM];
            CHECK(part == whole, "%zu numbers: %s[%zu] is %g in parts, %g in one call",
                  n, (const char *[]){"param", "m", "v"}[i / ROOM], i % ROOM,
                  (double)part, (double)whole);
        }
    }
}
