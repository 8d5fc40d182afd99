/* The judge of open problem 02/deep_post_ln. */
#include "02-pre-ln-vs-post-ln/problems/deep_post_ln.h"

#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/problems/given_stack.h"
#include "program/problem.h"

enum { DEPTH = 24 };

static void prepare(void *context, Params *params, Stack *s) {
    (void)context;
    GivenStack given = given_stack(params, s);
    deep_post_ln(params, s);
    expect_given(&given, params, s, 1, true);
    given_stack_free(&given);
}

static void at_the_end(void *context, const Stack *s, size_t step, float loss) {
    (void)context;
    (void)loss;
    if (step == setup.steps) expect_all_layers_used(s);
}

static void judge(const Settings *settings) {
    double loss[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        StackTraining config =
            setup_training(&runs[POST], DEPTH, 0.002, settings->seed + k);
        config.prepare = prepare;
        loss[k] = stack_train(&config, at_the_end, NULL);
        printf("seed %zu: mean loss of the last %d steps %.3f\n", k + 1, TRAINING_TAIL,
               loss[k]);
    }
    problem_at_most("loss", loss, 1.0);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "02/deep_post_ln", judge);
}
