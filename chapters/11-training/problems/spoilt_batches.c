/* The judge of open problem 11/spoilt_batches. */
#include "11-training/problems/spoilt_batches.h"

#include <math.h>
#include <stdio.h>

#include "program/problem.h"
#include "math/random.h"
#include "kernels/reduce.h"

enum { SPOILT = 4, SAMPLES = 8, STEPS = 200 };
static const float noise = 0.5f, rate = 0.1f;

/* Adds the gradient of (x w - y)^2 / 2 at weights w, the mean over SAMPLES inputs x of
 * normal numbers; y is what `teacher` answers, and noise. */
static void micro_gradient(float out[SIZE], const float w[SIZE],
                           const float teacher[SIZE], Random *random) {
    for (size_t n = 0; n < SAMPLES; n++) {
        float x[SIZE];
        random_fill_normal(random, x, SIZE, 1);
        float y = row_dot(x, teacher, SIZE) + noise * (float)random_normal(random);
        float wrong = row_dot(x, w, SIZE) - y;
        for (size_t i = 0; i < SIZE; i++) out[i] += wrong * x[i] / SAMPLES;
    }
}

/* SPOILT of the micro-batches, drawn anew. */
static void draw_spoilt(bool spoilt[MICRO_BATCHES], Random *random) {
    for (size_t left = SPOILT; left > 0;) {
        size_t b = random_below(random, MICRO_BATCHES);
        left -= !spoilt[b];
        spoilt[b] = true;
    }
}

static void step(float w[SIZE], const float right[SIZE], const float other[SIZE],
                 Random *random) {
    float gradients[MICRO_BATCHES][SIZE] = {{0}}, gradient[SIZE] = {0};
    bool spoilt[MICRO_BATCHES] = {0};
    draw_spoilt(spoilt, random);
    for (size_t b = 0; b < MICRO_BATCHES; b++)
        micro_gradient(gradients[b], w, spoilt[b] ? other : right, random);
    combine_gradients(gradient, gradients);
    for (size_t i = 0; i < SIZE; i++) w[i] -= rate * gradient[i];
}

/* |w - w*| / |w*| after all steps. */
static double train(uint64_t seed) {
    float right[SIZE], other[SIZE], w[SIZE] = {0}, wrong[SIZE];
    Random random = random_create(seed);
    random_fill_normal(&random, right, SIZE, 1);
    random_fill_normal(&random, other, SIZE, 1);
    for (size_t n = 0; n < STEPS; n++) step(w, right, other, &random);
    for (size_t i = 0; i < SIZE; i++) wrong[i] = w[i] - right[i];
    return sqrt((double)row_dot(wrong, wrong, SIZE) /
                (double)row_dot(right, right, SIZE));
}

static void judge(const Settings *settings) {
    double error[PROBLEM_SEEDS];
    problem_measure(error, settings, train,
                    "the weights are off by %.3f of their length");
    problem_at_most("distance from the right weights", error, 0.06);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "11/spoilt_batches", judge);
}
