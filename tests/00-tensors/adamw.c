/* Tests of exercise 00/adamw: PyTorch's numbers, and settings that tell the known
 * mistakes apart. */
#include "00-tensors/adamw.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"
#include "plain_adamw.h"

static const AdamWSettings usual = {.learning_rate = 0.1f,
                                    .beta1 = 0.9f,
                                    .beta2 = 0.99f,
                                    .eps = 1e-8f,
                                    .weight_decay = 0.5f};

/* See known.h. */
static void know_steps(const AdamWSettings *a, const History *right, const float *grads,
                       size_t steps) {
    AXES({"step", "steps", steps}, {"parameter", "n", PARAMETERS});
    axis_counts_from("step", 1);
    KNOW_AS("param", right->param, "step parameter");
    KNOW_AS("m", right->m, "step parameter");
    KNOW_AS("v", right->v, "step parameter");
    KNOW_AS("grad", grads, "step parameter");
    know_number("learning_rate", (double)a->learning_rate);
    know_number("beta1", (double)a->beta1);
    know_number("beta2", (double)a->beta2);
    know_number("weight_decay", (double)a->weight_decay);
    know_number("learning_rate * weight_decay",
                (double)a->learning_rate * (double)a->weight_decay);
}

/* A few steps from the same start, by the learner's function and by the plain one. */
static void check_steps(const AdamWSettings *settings, size_t steps, double grad_size,
                        double start_size) {
    float *param = normal_floats(PARAMETERS, start_size, 1);
    float *grads = normal_floats(PARAMETERS * MAX_STEPS, grad_size, 2);
    static History after[VARIATIONS];
    for (Variation variation = RIGHT; variation < VARIATIONS; variation++) {
        after[variation] = plain_history(param, grads, settings, steps, variation);
    }
    float m[PARAMETERS] = {0}, v[PARAMETERS] = {0}, params[PARAMETERS * MAX_STEPS],
          ms[PARAMETERS * MAX_STEPS], vs[PARAMETERS * MAX_STEPS];
    for (size_t k = 0; k < steps; k++) {
        size_t at = k * PARAMETERS;
        adamw_update(param, m, v, grads + at, PARAMETERS, settings, k + 1);
        memcpy(params + at, param, sizeof m);
        memcpy(ms + at, m, sizeof m);
        memcpy(vs + at, v, sizeof v);
    }
    size_t n = steps * PARAMETERS;
    know_steps(settings, &after[RIGHT], grads, steps);
    CHECK_CLOSE(
        "param", params, after[RIGHT].param, n, 1e-5,
        {"weight_decay * param is added to the gradient (Adam with L2, not AdamW)",
         after[L2].param},
        {"the weight decay is left out", after[NO_DECAY].param},
        {"the weight decay is not multiplied by the learning rate",
         after[DECAY_WITHOUT_RATE].param},
        {"the decay is made of the gradient, not of the parameter",
         after[DECAY_OF_GRADIENT].param},
        {"the decay shrinks m, not the parameter", after[DECAY_OF_M].param},
        {"m and v are not divided by 1 - beta^step", after[NO_CORRECTION].param},
        {"v is not divided by 1 - beta2^step", after[ONE_CORRECTION].param},
        {"eps stands inside the root", after[EPS_INSIDE].param},
        {"the root of v is left out", after[NO_ROOT].param},
        {"beta1 and beta2 are exchanged", after[BETAS_EXCHANGED].param},
        {"v is averaged with beta1 instead of beta2", after[ONE_BETA].param},
        {"beta is raised to step - 1: steps count from 1", after[STEP_FROM_ZERO].param},
        {"beta is multiplied by step, not raised to it", after[TIMES_STEP].param},
        {"m and v are overwritten by their corrected values",
         after[CORRECTION_KEPT].param},
        {"the decay comes after the step, and shrinks the step too",
         after[DECAY_AFTER].param},
        {"eps is added to sqrt(v) before v is divided by 1 - beta2^step",
         after[EPS_EARLY].param},
        {"the factors 1 - beta1 and 1 - beta2 are left out of m and v",
         after[NO_SHARE].param},
        {"beta and 1 - beta are exchanged in m and v", after[SHARES_EXCHANGED].param},
        {"v is made from g instead of g^2", after[NO_SQUARE].param},
        {"v is made from m^2 instead of g^2", after[SQUARE_OF_M].param},
        {"param moves by the m and v of the step before: they are updated first",
         after[OLD_MOMENTS].param},
        {"m and v are not written back, and every step starts from zero",
         after[NOT_KEPT].param});
    CHECK_CLOSE(
        "m", ms, after[RIGHT].m, n, 1e-5,
        {"weight_decay * param is added to the gradient (Adam with L2, not AdamW)",
         after[L2].m},
        {"beta1 and beta2 are exchanged", after[BETAS_EXCHANGED].m},
        {"m and v are overwritten by their corrected values", after[CORRECTION_KEPT].m},
        {"the decay shrinks m, not the parameter", after[DECAY_OF_M].m},
        {"m and v are not written back", after[NOT_KEPT].m});
    CHECK_CLOSE("v", vs, after[RIGHT].v, n, 1e-5,
                {"beta1 and beta2 are exchanged", after[BETAS_EXCHANGED].v},
                {"m and v are overwritten by their corrected values",
                 after[CORRECTION_KEPT].v});
}

/* The terms of each step: see known.h. */
static void know_terms(const AdamWSettings *a, const History *right, const float *start,
                       const float *grads) {
    static double before[PARAMETERS * MAX_STEPS], decay[PARAMETERS * MAX_STEPS],
        step[PARAMETERS * MAX_STEPS], old_m[PARAMETERS * MAX_STEPS],
        new_m[PARAMETERS * MAX_STEPS], old_v[PARAMETERS * MAX_STEPS],
        new_v[PARAMETERS * MAX_STEPS];
    for (size_t i = 0; i < PARAMETERS; i++) before[i] = (double)start[i];
    memcpy(before + PARAMETERS, right->param,
           sizeof before - PARAMETERS * sizeof *before);
    for (size_t i = 0; i < PARAMETERS * MAX_STEPS; i++) {
        double g = (double)grads[i];
        decay[i] = -(double)a->learning_rate * (double)a->weight_decay * before[i];
        step[i] = right->param[i] - before[i] - decay[i];
        new_m[i] = (1 - (double)a->beta1) * g;
        old_m[i] = right->m[i] - new_m[i];
        new_v[i] = (1 - (double)a->beta2) * g * g;
        old_v[i] = right->v[i] - new_v[i];
    }
    KNOW_AS("the decay", decay, "step parameter");
    KNOW_AS("the step along m / sqrt(v)", step, "step parameter");
    KNOW_AS("beta1 m", old_m, "step parameter");
    KNOW_AS("(1 - beta1) g", new_m, "step parameter");
    KNOW_AS("beta2 v", old_v, "step parameter");
    KNOW_AS("(1 - beta2) g^2", new_v, "step parameter");
}

/* Each step from the right numbers of the one before, so that no error grows and each
 * has its own place. */
Test(adamw, each_step_alone, .timeout = 10) {
    enum { N = PARAMETERS, ALL = PARAMETERS * MAX_STEPS };
    /* no two of them make a third */
    const AdamWSettings settings = {0.1f, 0.85f, 0.95f, 1e-8f, 0.7f};
    float *start = normal_floats(N, 1, 1), *grads = normal_floats(ALL, 1, 2),
          param[ALL], m[ALL], v[ALL];
    static History right;
    right = plain_history(start, grads, &settings, MAX_STEPS, RIGHT);
    /* Where each step begins. Not by a condition in one loop: gcc 12 would read past
     * the end of start. */
    memcpy(param, start, N * sizeof *param);
    for (size_t i = 0; i < N; i++) m[i] = v[i] = 0;
    for (size_t i = N; i < ALL; i++) {
        param[i] = (float)right.param[i - N];
        m[i] = (float)right.m[i - N];
        v[i] = (float)right.v[i - N];
    }
    for (size_t k = 0; k < MAX_STEPS; k++) {
        adamw_update(param + k * N, m + k * N, v + k * N, grads + k * N, N, &settings,
                     k + 1);
    }
    know_steps(&settings, &right, grads, MAX_STEPS);
    know_terms(&settings, &right, start, grads);
    CHECK_CLOSE("m", m, right.m, ALL, 1e-5);
    CHECK_CLOSE("v", v, right.v, ALL, 1e-5);
    CHECK_CLOSE("param", param, right.param, ALL, 1e-5);
}

/* In the first step m / c1 = g and sqrt(v / c2) = |g|: every parameter moves by the
 * learning rate. */
Test(adamw, first_step_moves_by_the_learning_rate, .timeout = 10) {
    float param[3] = {0, 0, 0}, m[3] = {0}, v[3] = {0},
          grad[3] = {0.001f, -5.0f, 70.0f};
    adamw_update(param, m, v, grad, 3, &(AdamWSettings){0.5f, 0.9f, 0.999f, 1e-8f, 0},
                 1);
    CHECK_CLOSE("param", param, ((double[]){-0.5, 0.5, -0.5}), 3, 1e-4,
                {"the sign of the step is wrong: it goes up the gradient",
                 (double[]){0.5, -0.5, 0.5}},
                {"the step is not divided by sqrt(v): that is SGD",
                 (double[]){-0.0005, 2.5, -35}});
}

/* Not 0.9 and 0.99: there (1 - beta1) = sqrt(1 - beta2),
 * and a forgotten correction cancels in the first step. */
Test(adamw, one_step, .timeout = 10) {
    check_steps(&(AdamWSettings){0.1f, 0.9f, 0.95f, 1e-8f, 0}, 1, 1, 0.1);
}

Test(adamw, moments_carry_over, .timeout = 10) {
    check_steps(&(AdamWSettings){0.1f, 0.8f, 0.95f, 1e-8f, 0}, 4, 1, 0.1);
}

Test(adamw, weight_decay, .timeout = 10) {
    check_steps(&usual, 3, 1, 1);
}

/* Gradients as small as eps: where eps stands shows. */
Test(adamw, tiny_gradients, .timeout = 10) {
    check_steps(&(AdamWSettings){0.1f, 0.9f, 0.99f, 1e-3f, 0}, 3, 1e-3, 0.1);
}

Test(adamw, zero_gradient_leaves_zero_moments, .timeout = 10) {
    float param[2] = {1, -2}, m[2] = {0}, v[2] = {0}, grad[2] = {0};
    adamw_update(param, m, v, grad, 2, &(AdamWSettings){0.1f, 0.9f, 0.99f, 1e-8f, 0},
                 1);
    CHECK_CLOSE("param", param, ((double[]){1, -2}), 2, 1e-6,
                {"0 / 0: eps is left out", (double[]){NAN, NAN}});
}

/* A token that is not in the batch: its gradient is 0, but m and the decay move its
 * parameters. */
Test(adamw, zero_gradient_still_moves, .timeout = 10) {
    enum { N = 4 };
    const AdamWSettings settings = {0.1f, 0.9f, 0.95f, 1e-8f, 0.5f};
    float start[N] = {1, -2, 0.5f, 3}, start_m[N] = {0.25f, 1, -0.5f, 2},
          start_v[N] = {0.25f, 4, 1, 0.5f}, grad[N] = {0}, param[N], m[N], v[N];
    memcpy(param, start, sizeof param);
    memcpy(m, start_m, sizeof m);
    memcpy(v, start_v, sizeof v);
    State right = {0};
    double no_step[N];
    for (size_t i = 0; i < N; i++) {
        right.param[i] = (double)start[i];
        right.m[i] = (double)start_m[i];
        right.v[i] = (double)start_v[i];
        no_step[i] = (double)start[i] * (1 - 0.1 * 0.5);
    }
    plain_step(&right, grad, N, &settings, 2, RIGHT);
    adamw_update(param, m, v, grad, N, &settings, 2);
    CHECK_CLOSE(
        "param", param, right.param, N, 1e-5,
        {"a parameter with gradient 0 is skipped: m goes on moving it",
         as_double(start, N)},
        {"a parameter with gradient 0 only decays: m goes on moving it", no_step});
    CHECK_CLOSE("m", m, right.m, N, 1e-5);
    CHECK_CLOSE("v", v, right.v, N, 1e-5);
}

Test(adamw, equals_pytorch, .timeout = 10) {
    const char *cases[] = {"default", "gpt", "nodecay", "tiny_grads"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *name = cases[c];
        size_t n;
        float *param = golden_float("adamw", name, "p0", &n);
        float *m = checked_alloc(n, sizeof *m), *v = checked_alloc(n, sizeof *v);
        AdamWSettings settings = {
            .learning_rate = (float)golden_attr("adamw", name, "lr"),
            .beta1 = (float)golden_attr("adamw", name, "beta1"),
            .beta2 = (float)golden_attr("adamw", name, "beta2"),
            .eps = (float)golden_attr("adamw", name, "eps"),
            .weight_decay = (float)golden_attr("adamw", name, "weight_decay"),
        };
        for (size_t step = 1; step <= (size_t)golden_attr("adamw", name, "steps");
             step++) {
            char grad[8], p[8], first[8], second[8];
            snprintf(grad, sizeof grad, "g%zu", step);
            snprintf(p, sizeof p, "p%zu", step);
            snprintf(first, sizeof first, "m%zu", step);
            snprintf(second, sizeof second, "v%zu", step);
            adamw_update(param, m, v, golden_float("adamw", name, grad, NULL), n,
                         &settings, step);
            CHECK_CLOSE(p, param, golden("adamw", name, p, NULL), n, 1e-6);
            CHECK_CLOSE(first, m, golden("adamw", name, first, NULL), n, 1e-5);
            CHECK_CLOSE(second, v, golden("adamw", name, second, NULL), n, 2e-5);
        }
    }
}

/* Every tensor of a model has a call of its own in each step: what one leaves behind is
 * none of the next. */
Test(adamw, calls_share_nothing, .timeout = 10) {
    float params[2] = {1, 1};
    for (size_t k = 0; k < 2; k++)
        adamw_update(params + k, &(float){0}, &(float){0}, &(float){2}, 1, &usual, 1);
    CHECK(memcmp(&params[0], &params[1], sizeof *params) == 0 ||
              (isnan(params[0]) && isnan(params[1])),
          "two tensors with the same numbers: the first call gives %.7g, the second "
          "%.7g; this is what you get "
          "when a static variable counts the calls: step says which step it is",
          (double)params[0], (double)params[1]);
}

/* Every parameter has its own numbers: thousands at a time get what each gets alone. */
Test(adamw, thousands, .timeout = 10) {
    enum { N = 5003 };
    float *together = normal_floats(N, 1, 3), *alone = normal_floats(N, 1, 3),
          *grad = normal_floats(N, 1, 4);
    float *m = equal_floats(N, 0), *v = equal_floats(N, 0);
    adamw_update(together, m, v, grad, N, &usual, 1);
    for (size_t i = 0; i < N; i++)
        adamw_update(alone + i, &(float){0}, &(float){0}, grad + i, 1, &usual, 1);
    CHECK_CLOSE("param", together, as_double(alone, N), N, 1e-6);
}

/* 1 - beta^step is what the last digits of the power say: with beta near 1 a float has
 * few of them. */
Test(adamw, powers_keep_their_digits, .timeout = 10) {
    enum { STEPS = 8, FIRST = 20 };
    AdamWSettings settings = {
        .learning_rate = 1, .beta1 = 0.9f, .beta2 = 0.99999f, .eps = 0};
    float params[STEPS] = {0};
    double expected[STEPS], in_float[STEPS];
    for (size_t k = 0; k < STEPS; k++) {
        double step = (double)(FIRST + k),
               correct1 = 1 - pow((double)settings.beta1, step);
        double power = pow((double)settings.beta2, step);
        float m = 1, v = 1; /* which a gradient of 1 leaves as they are */
        adamw_update(params + k, &m, &v, &(float){1}, 1, &settings, FIRST + k);
        expected[k] = -sqrt(1 - power) / correct1;
        in_float[k] = -sqrt((double)(1.0f - (float)power)) / correct1;
    }
    AXES({"step", "steps", STEPS});
    axis_counts_from("step", FIRST);
    CHECK_CLOSE(
        "param with beta2 = 0.99999, where 1 - beta2^step in float has few digits,",
        params, expected, STEPS, 1e-6,
        {"beta^step is computed in float: power_double keeps the digits of 1 - "
         "beta^step",
         in_float});
}

/* The corrections are powers of any step: with betas near 1 they still count after
 * thousands. */
Test(adamw, step_ten_thousand, .timeout = 10) {
    AdamWSettings settings = {
        .learning_rate = 1, .beta1 = 0.9998f, .beta2 = 0.9999f, .eps = 0};
    float param = 0, m = 1, v = 1;
    adamw_update(&param, &m, &v, &(float){1}, 1, &settings, 10000);
    double correct1 = 1 - pow((double)0.9998f, 10000),
           correct2 = 1 - pow((double)0.9999f, 10000);
    double first = -sqrt(1 - (double)0.9999f) / (1 - (double)0.9998f);
    CHECK_NUMBER(
        "param", param, -sqrt(correct2) / correct1, 1e-4,
        {"m and v are not divided by 1 - beta^step", &(double){-1}},
        {"v is not divided by 1 - beta2^step", &(double){-1 / correct1}},
        {"m is not divided by 1 - beta1^step", &(double){-sqrt(correct2)}},
        {"step is not looked at, and the powers are those of the first step", &first});
}
