/* The judge of open problem 18/experts. */
#include "18-llama/problems/experts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "00-tensors/optimizer.h"
#include "00-tensors/softmax_cross_entropy.h"
#include "18-llama/problems/mixture.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/fit.h"
#include "program/problem.h"

/* Multiplications a row: 3 WIDTH DENSE in one SwiGLU, 3 WIDTH ACTIVE UNITS in those of
 * the experts and WIDTH EXPERTS in the router, which are fewer. */
enum { WIDTH = 16, DENSE = 12, UNITS = 5, FACTS = 640, STEPS = 600 };
enum { STREAM_INIT = 1, STREAM_FACTS, STREAM_POINTS };
_Static_assert(3 * WIDTH * ACTIVE * UNITS + WIDTH * EXPERTS <= 3 * WIDTH * DENSE,
               "no more operations than the dense FFN");

typedef struct {
    float *keys; /* [FACTS, WIDTH] */
    int *names;  /* [FACTS] */
} Facts;

static Facts facts_create(uint64_t seed) {
    Random random = random_stream(seed, STREAM_FACTS);
    Facts f = {checked_alloc(FACTS * WIDTH, sizeof *f.keys),
               checked_alloc(FACTS, sizeof *f.names)};
    random_fill_normal(&random, f.keys, FACTS * WIDTH, 1);
    for (size_t i = 0; i < FACTS; i++) f.names[i] = (int)random_below(&random, WIDTH);
    return f;
}

/* One of the two is used. */
typedef struct {
    Ffn dense;
    Mixture *mixture;
} Model;

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

/* The share of the facts that are named right at the last step. */
static double train(Params *params, Model *model, const Facts *facts, uint64_t seed) {
    const float rate = 0.02f;
    AdamW optimizer = adamw_create(params, rate, 0);
    Tape t = tape_create(seed);
    double held = 0;
    for (size_t step = 1; step <= STEPS; step++) {
        tape_reset(&t);
        params_zero_grad(params);
        Tensor *x = tape_input(&t, 2, (size_t[]){FACTS, WIDTH}, facts->keys);
        Tensor *logits =
            model->mixture ? mixture(&t, model->mixture, x) : ffn(&t, &model->dense, x);
        held = accuracy(logits, facts->names);
        tape_backward(&t, cross_entropy(&t, logits, facts->names));
        optimizer.settings.learning_rate =
            rate * (float)smaller(1, 4.0 * (double)(STEPS - step) / STEPS);
        adamw_step(&optimizer, params);
    }
    tape_free(&t);
    adamw_free(&optimizer);
    return held;
}

static double share_held(bool dense, uint64_t seed) {
    Random init = random_stream(seed, STREAM_INIT);
    Facts facts = facts_create(seed);
    Params params = {.mode = PARAMS_TRAIN};
    Mixture m;
    Model model = {0};
    if (dense) {
        model.dense = swiglu_ffn(&params, &init, DENSE, "dense");
    } else {
        m = mixture_create(&params, &init);
        model.mixture = &m;
    }
    double held = train(&params, &model, &facts, seed);
    params_free(&params);
    free(facts.keys);
    free(facts.names);
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
        held[k] = share_held(false, seed);
        printf("seed %zu: %.1f %% of %d facts; the dense FFN %.1f %%\n", k + 1,
               100 * held[k], FACTS, 100 * share_held(true, seed));
    }
    problem_at_least("share of the facts", held, 0.93);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "18/experts", judge);
}
