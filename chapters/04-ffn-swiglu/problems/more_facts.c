/* The judge of open problem 04/more_facts. */
#include "04-ffn-swiglu/problems/more_facts.h"

#include <math.h>
#include <stdio.h>

#include "00-tensors/linear.h"
#include "04-ffn-swiglu/elementwise.h"
#include "04-ffn-swiglu/learn_facts.h"
#include "base/error.h"
#include "program/problem.h"

enum { UNITS = 12, FACTS = 22 * UNITS, STEPS = 600 };
enum { STREAM_INIT = 1, STREAM_POINTS = 3 };

static void forward(float *out, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) out[i] = own_activation(x[i]);
}

static void backward(float *dx, const float *dout, const float *x, size_t n) {
    for (size_t i = 0; i < n; i++) dx[i] += dout[i] * own_slope(x[i]);
}

typedef struct {
    Linear up, down;
} Model;

static Tensor *model_forward(Tape *t, const void *model, Tensor *x) {
    static const Activation own = {"own activation", forward, backward};
    const Model *m = model;
    return linear(t, &m->down, activate(t, &own, linear(t, &m->up, x)));
}

/* The share of n facts that an FFN of UNITS hidden units names right, as in the
 * experiment `facts`. */
static double share_right(size_t n, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    Params params = {.mode = PARAMS_TRAIN};
    Model m;
    m.up = linear_create(&params, &init, FACT_WIDTH, UNITS, true, 1 / sqrtf(FACT_WIDTH),
                         "up");
    m.down = linear_create(&params, &init, UNITS, FACT_WIDTH, true, 1 / sqrtf(UNITS),
                           "down");
    double held =
        learn_facts(&(FactLearner){model_forward, &m, &params}, n, STEPS, seed);
    params_free(&params);
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
        held[k] = share_right(FACTS, settings->seed + k);
        printf("seed %zu: %.1f %% of %d facts\n", k + 1, 100 * held[k], FACTS);
    }
    problem_at_least("share of the facts", held, 0.93);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "04/more_facts", judge);
}
