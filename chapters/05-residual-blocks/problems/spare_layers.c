/* The judge of open problem 05/spare_layers. */
#include "05-residual-blocks/problems/spare_layers.h"

#include <stdio.h>

#include "02-pre-ln-vs-post-ln/problems/given_stack.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/problem.h"

enum { LAYERS = 8, REMOVED = 3, STEPS = 1500, ROWS_OF_LOSS = 512 };

static void prepare(void *context, Params *params, Stack *s) {
    (void)context;
    GivenStack given = given_stack(params, s);
    spare_layers(params, s);
    expect_given(&given, params, s, 1, true);
    given_stack_free(&given);
}

typedef struct {
    /* the loss, and its mean over all ways to take out REMOVED layers */
    double whole, without;
} Losses;

static double loss_without(const Stack *s, unsigned removed) {
    Residual left[LAYERS];
    Stack smaller_stack = *s;
    smaller_stack.residuals = left;
    smaller_stack.config.depth = 0;
    for (size_t l = 0; l < LAYERS; l++) {
        if (!(removed >> l & 1)) left[smaller_stack.config.depth++] = s->residuals[l];
    }
    return fresh_loss(&smaller_stack, ROWS_OF_LOSS, false);
}

static void measure(void *losses, const Stack *s, size_t step, float loss) {
    (void)loss;
    if (step < STEPS) return;
    expect_all_layers_used(s);
    double sum = 0, ways = 0;
    for (unsigned removed = 0; removed < 1u << LAYERS; removed++) {
        if (__builtin_popcount(removed) != REMOVED) continue;
        sum += loss_without(s, removed);
        ways++;
    }
    *(Losses *)losses = (Losses){fresh_loss(s, ROWS_OF_LOSS, false), sum / ways};
}

static void judge(const Settings *settings) {
    double whole[PROBLEM_SEEDS], without[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        StackTraining config = {
            .stack = scheme_stack(&schemes[PRE], WIDTH, 2 * WIDTH, LAYERS, CLASSES),
            .steps = STEPS,
            .batch = BATCH,
            .peak = 0.002f,
            .seed = settings->seed + k,
            .prepare = prepare};
        Losses losses;
        stack_train(&config, measure, &losses);
        whole[k] = losses.whole;
        without[k] = losses.without;
        printf("seed %zu: loss %.3f, mean without %d of %d layers %.3f\n", k + 1,
               whole[k], REMOVED, LAYERS, without[k]);
    }
    problem_at_most("loss without three layers", without, 1.0);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "05/spare_layers", judge);
}
