/* The judge of open problem 04/more_facts. */
#include "04-ffn-swiglu/problems/more_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/linear.h"
#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "04-ffn-swiglu/elementwise.h"
#include "base/error.h"
#include "math/fit.h"
#include "base/memory.h"
#include "program/problem.h"

enum { WIDTH = 16, UNITS = 12, FACTS = 22 * UNITS, STEPS = 600 };
enum { STREAM_INIT = 1, STREAM_FACTS, STREAM_POINTS };

static void forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = own_activation(x[i]);
}

static void backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) dx[i] += dout[i] * own_slope(x[i]);
}

/* The share of n facts that an FFN of UNITS hidden units names right after STEPS steps
 * on all of them, as in the experiment `facts`. */
static double share_held(size_t n, uint64_t seed) {
    static const Activation own = {"own activation", forward, backward};
    const float rate = 0.02f;
    Random init = random_stream(seed, STREAM_INIT),
           facts = random_stream(seed, STREAM_FACTS);
    float *keys = checked_alloc(n * WIDTH, sizeof *keys);
    int *names = checked_alloc(n, sizeof *names);
    random_fill_normal(&facts, keys, n * WIDTH, 1);
    for (size_t i = 0; i < n; i++) names[i] = (int)random_below(&facts, WIDTH);
    Params params = {.mode = PARAMS_TRAIN};
    Linear up =
        linear_create(&params, &init, WIDTH, UNITS, true, 1 / sqrtf(WIDTH), "up");
    Linear down =
        linear_create(&params, &init, UNITS, WIDTH, true, 1 / sqrtf(UNITS), "down");
    AdamW optimizer = adamw_create(&params, rate, 0);
    Tape t = tape_create(seed);
    double held = 0;
    for (size_t step = 1; step <= STEPS; step++) {
        tape_reset(&t);
        params_zero_grad(&params);
        Tensor *x = tape_input(&t, 2, (size_t[]){n, WIDTH}, keys);
        Tensor *logits = linear(&t, &down, activate(&t, &own, linear(&t, &up, x)));
        held = accuracy(logits, names);
        tape_backward(&t, cross_entropy(&t, logits, names));
        optimizer.settings.learning_rate =
            rate * (float)smaller(1, 4.0 * (double)(STEPS - step) / STEPS);
        adamw_step(&optimizer, &params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
    params_free(&params);
    free(keys);
    free(names);
    return held;
}

static void expect_slope(uint64_t seed) {
    enum { POINTS = 1000, KINKS = 10 };
    const float h = 1e-2f;
    Random random = random_stream(seed, STREAM_POINTS);
    size_t wrong = 0;
    for (size_t i = 0; i < POINTS; i++) {
        float x = 2 * (float)random_normal(&random), slope = own_slope(x);
        float expected = (own_activation(x + h) - own_activation(x - h)) / (2 * h);
        bool right = fabsf(slope - expected) <= 0.02f * (1 + fabsf(expected));
        if (!right && wrong++ == KINKS)
            die("own_slope(%g) is %g, expected %g", (double)x, (double)slope,
                (double)expected);
    }
}

static void judge(const Settings *settings) {
    double held[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        expect_slope(settings->seed + k);
        held[k] = share_held(FACTS, settings->seed + k);
        printf("seed %zu: %.1f %% of %d facts\n", k + 1, 100 * held[k], FACTS);
    }
    problem_at_least("share of the facts", held, 0.93);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "04/more_facts", judge);
}
