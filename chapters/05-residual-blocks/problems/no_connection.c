/* The judge of open problem 05/no_connection. */
#include "05-residual-blocks/problems/no_connection.h"

#include <stdio.h>

#include "02-pre-ln-vs-post-ln/problems/given_stack.h"
#include "05-residual-blocks/experiments/runs.h"
#include "program/problem.h"

enum { LAYERS = 32, STEPS = 600 };

/* context: the joins [LAYERS] of the run. */
static void prepare(void *context, Params *params, Stack *s) {
    scheme_apply(&schemes[NONE], params, s, context);
    GivenStack given = given_stack(params, s);
    no_connection(s);
    expect_given(&given, params, s, 0, false);
    given_stack_free(&given);
}

static void at_the_end(void *context, const Stack *s, size_t step, float loss) {
    (void)context;
    (void)loss;
    if (step == STEPS) expect_all_layers_used(s);
}

static void judge(const Settings *settings) {
    double loss[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        ResidualJoin joins[LAYERS];
        StackTraining config = {
            .stack = scheme_stack(&schemes[NONE], WIDTH, 2 * WIDTH, LAYERS, CLASSES),
            .steps = STEPS,
            .batch = BATCH,
            .peak = 0.001f,
            .seed = settings->seed + k,
            .prepare = prepare};
        loss[k] = stack_train(&config, at_the_end, joins);
        printf("seed %zu: mean loss of the last %d steps %.3f\n", k + 1, TRAINING_TAIL,
               loss[k]);
    }
    problem_at_most("loss", loss, 1.25);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "05/no_connection", judge);
}
