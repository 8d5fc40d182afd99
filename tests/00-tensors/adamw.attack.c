/* An attack on 00/adamw: three steps by the header's formula, with a decay, on
 * gradients from 1e-9 to 70, one of them 0 in its last step. */
#include "00-tensors/adamw.h"

#include <math.h>

#include "check/check.h"

enum { N = 5, STEPS = 3 };

static void check_steps(AdamWSettings s, double tolerance) {
    float param[N] = {1, -2, 3, 0.5f, -0.25f}, m[N] = {0}, v[N] = {0};
    double right[N] = {1, -2, 3, 0.5, -0.25}, right_m[N] = {0}, right_v[N] = {0};
    for (int step = 1; step <= STEPS; step++) {
        float grad[N] = {0.001f, -5, 70, 1e-9f, 3e-8f};
        for (size_t i = 0; i < N; i++) {
            grad[i] *= i == 1 && step == STEPS ? 0 : (float)step;
            right[i] *= 1 - (double)s.learning_rate * (double)s.weight_decay;
            right_m[i] += (1 - (double)s.beta1) * ((double)grad[i] - right_m[i]);
            right_v[i] += (1 - (double)s.beta2) *
                          ((double)grad[i] * (double)grad[i] - right_v[i]);
            double m_hat = right_m[i] / (1 - pow((double)s.beta1, step));
            double v_hat = right_v[i] / (1 - pow((double)s.beta2, step));
            right[i] -= (double)s.learning_rate * m_hat / (sqrt(v_hat) + (double)s.eps);
        }
        adamw_update(param, m, v, grad, N, &s, (size_t)step);
        CHECK_CLOSE("param", param, right, N, tolerance);
        CHECK_CLOSE("m", m, right_m, N, tolerance);
        CHECK_CLOSE("v", v, right_v, N, tolerance);
    }
}

Test(attack, three_steps) {
    check_steps((AdamWSettings){.learning_rate = 0.5f,
                                .beta1 = 0.9f,
                                .beta2 = 0.99f,
                                .eps = 1e-8f,
                                .weight_decay = 0.1f},
                1e-5);
}

/* Where eps stands shows only where it is as large as the gradients. */
Test(attack, large_eps) {
    check_steps(
        (AdamWSettings){
            .learning_rate = 0.5f, .beta1 = 0.9f, .beta2 = 0.99f, .eps = 0.1f},
        1e-5);
}

/* 1 - beta2^step is what is left of 1: a power in float leaves few digits. */
Test(attack, beta_near_one) {
    check_steps(
        (AdamWSettings){
            .learning_rate = 10, .beta1 = 0.9f, .beta2 = 0.9999f, .eps = 1e-8f},
        1e-5);
}

Test(attack, nothing_moves_without_a_gradient) {
    float param = 1, m = 0, v = 0, grad = 0;
    adamw_update(
        &param, &m, &v, &grad, 1,
        &(AdamWSettings){
            .learning_rate = 0.5f, .beta1 = 0.9f, .beta2 = 0.99f, .eps = 1e-8f},
        1);
    CHECK(param == 1, "the parameter is %g, expected 1", (double)param);
}
