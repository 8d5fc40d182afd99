/* The judge of open problem 11/stop_anywhere. */
#include "11-training/problems/stop_anywhere.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "11-training/experiments/language_runs.h"
#include "base/memory.h"
#include "program/problem.h"

enum { LAYERS = 1, WIDTH = 32, BATCH = 1, STEPS = 500, STOPS = 2 };
static const size_t stops[STOPS] = {300, STEPS};
static const double rate = 0.01;

static void gather(float *weights, const Params *params) {
    for (size_t i = 0; i < params->n; i++) {
        const Tensor *x = params->items[i].tensor;
        memcpy(weights, x->data, tensor_size(x) * sizeof *weights);
        weights += tensor_size(x);
    }
}

static void scatter(const Params *params, const float *weights) {
    for (size_t i = 0; i < params->n; i++) {
        Tensor *x = params->items[i].tensor;
        memcpy(x->data, weights, tensor_size(x) * sizeof *weights);
        weights += tensor_size(x);
    }
}

/* The model's loss with `kept` for its weights, which it gets back. */
static double loss_with(Trainer *t, const float *kept, const float *weights) {
    scatter(&t->model->params, kept);
    double loss = trainer_validate(t, 0);
    scatter(&t->model->params, weights);
    return loss;
}

/* The loss at each of the stops. */
static void train(double loss[STOPS], const Language *l, uint64_t seed) {
    TrainSettings s = language_settings(l, LAYERS, WIDTH, BATCH, STEPS, rate, seed);
    s.lowest_rate = s.learning_rate;
    Trainer t = trainer_create(&s, &l->data, NULL);
    size_t n = params_count(&t.model->params), stop = 0;
    float *kept = checked_alloc(n, sizeof *kept),
          *weights = checked_alloc(n, sizeof *weights);
    memset(kept, 0, n * sizeof *kept);
    while (t.step < STEPS) {
        trainer_step(&t);
        gather(weights, &t.model->params);
        keep_weights(kept, weights, n, t.step);
        if (t.step == stops[stop]) loss[stop++] = loss_with(&t, kept, weights);
    }
    free(kept);
    free(weights);
    trainer_free(&t);
}

static void judge(const Settings *settings) {
    double early[PROBLEM_SEEDS], late[PROBLEM_SEEDS];
    Language l = language_create(settings->seed);
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        double loss[STOPS];
        train(loss, &l, settings->seed + k);
        early[k] = loss[0];
        late[k] = loss[1];
        printf("seed %zu: stopped at step %zu, a loss of %.3f; at step %zu, %.3f\n",
               k + 1, stops[0], loss[0], stops[1], loss[1]);
    }
    language_free(&l);
    problem_at_most("loss at step 300", early, 1.82);
    problem_at_most("loss at step 500", late, 1.52);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "11/stop_anywhere", judge);
}
