/* The judge of open problem 18/experts. */
#include "18-llama/problems/experts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "04-ffn-swiglu/learn_facts.h"
#include "18-llama/problems/mixture.h"
#include "base/error.h"
#include "program/problem.h"

/* Multiplications a row: 3 WIDTH DENSE in one SwiGLU, 3 WIDTH ACTIVE UNITS in those of
 * the experts and WIDTH EXPERTS in the router, which are fewer. */
enum { WIDTH = FACT_WIDTH, DENSE = 12, UNITS = 5, FACTS = 640, STEPS = 600 };
enum { STREAM_INIT = 1, STREAM_POINTS = 3 };
_Static_assert(3 * WIDTH * ACTIVE * UNITS + WIDTH * EXPERTS <= 3 * WIDTH * DENSE,
               "no more operations than the dense FFN");

static Ffn swiglu_ffn(Params *params, Random *init, size_t units, const char *name) {
    FfnConfig config = {.kind = FFN_SWIGLU,
                        .d_model = WIDTH,
                        .d_ff = units,
                        .has_bias = false,
                        .std = 1 / sqrtf(WIDTH),
                        .std_down = 1 / sqrtf((float)units)};
    return ffn_create(params, init, &config, name);
}

static Mixture mixture_create(Params *params, Random *init) {
    static const char *const names[EXPERTS] = {"0", "1", "2", "3"};
    Mixture m;
    for (size_t e = 0; e < EXPERTS; e++)
        m.experts[e] = swiglu_ffn(params, init, UNITS, names[e]);
    m.router =
        linear_create(params, init, WIDTH, EXPERTS, false, 1 / sqrtf(WIDTH), "router");
    return m;
}

static Tensor *run_dense(Tape *t, const void *model, Tensor *x) {
    return ffn(t, model, x);
}

static Tensor *run_mixture(Tape *t, const void *model, Tensor *x) {
    return mixture(t, model, x);
}

/* The share of the facts that the dense FFN or the mixture names right. */
static double share_named(bool dense, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    Params params = {.mode = PARAMS_TRAIN};
    Ffn one;
    Mixture m;
    FactLearner learner = {run_mixture, &m, &params};
    if (dense) {
        one = swiglu_ffn(&params, &init, DENSE, "dense");
        learner = (FactLearner){run_dense, &one, &params};
    } else {
        m = mixture_create(&params, &init);
    }
    double held = learn_facts(&learner, FACTS, STEPS, seed);
    params_free(&params);
    return held;
}

/* --- the gradient --- */

/* dweights times what becomes of the weights; 0 where the choice changes. */
static bool weighed(double *sum, const float *scores, const int *chosen,
                    const float *dweights) {
    int now[ACTIVE];
    float weights[ACTIVE];
    experts_route(now, weights, scores);
    *sum = 0;
    for (size_t k = 0; k < ACTIVE; k++)
        *sum += (double)dweights[k] * (double)weights[k];
    return memcmp(now, chosen, sizeof now) == 0;
}

static void expect_gradient(uint64_t seed) {
    enum { POINTS = 200 };
    const float h = 1e-2f;
    Random random = random_stream(seed, STREAM_POINTS);
    for (size_t i = 0; i < POINTS; i++) {
        int chosen[ACTIVE];
        float scores[EXPERTS], dweights[ACTIVE], weights[ACTIVE], dscores[EXPERTS];
        random_fill_normal(&random, scores, EXPERTS, 1);
        random_fill_normal(&random, dweights, ACTIVE, 1);
        for (size_t e = 0; e < EXPERTS; e++) dscores[e] = 0.5f;
        route_checked(chosen, weights, scores);
        double once;
        if (!weighed(&once, scores, chosen, dweights))
            die("the same scores again, and another choice");
        experts_route_backward(dscores, dweights, scores);
        for (size_t e = 0; e < EXPERTS; e++) {
            float at = scores[e];
            double up, down;
            scores[e] = at + h;
            bool same = weighed(&up, scores, chosen, dweights);
            scores[e] = at - h;
            same = weighed(&down, scores, chosen, dweights) && same;
            scores[e] = at;
            double expected = (up - down) / (2 * (double)h);
            double is = (double)dscores[e] - 0.5;
            if (same && !(fabs(is - expected) <= 0.01 * (1 + fabs(expected))))
                die("the gradient of a score is %.4f, expected %.4f", is, expected);
        }
    }
}

static void judge(const Settings *settings) {
    double held[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        uint64_t seed = settings->seed + k;
        expect_gradient(seed);
        held[k] = share_named(false, seed);
        printf("seed %zu: %.1f %% of %d facts; the dense FFN %.1f %%\n", k + 1,
               100 * held[k], FACTS, 100 * share_named(true, seed));
    }
    problem_at_least("share of the facts", held, 0.93);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "18/experts", judge);
}
