/* The judge of open problem 02/level_stream. */
#include "02-pre-ln-vs-post-ln/problems/level_stream.h"

#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/experiments/trained_stream.h"
#include "02-pre-ln-vs-post-ln/problems/given_stack.h"
#include "program/problem.h"

enum { DEPTH = 24 };

static void prepare(void *context, Params *params, Stack *s) {
    (void)context;
    GivenStack given = given_stack(params, s);
    level_stream(s);
    expect_given(&given, params, s, 0, false);
    given_stack_free(&given);
}

static void measure_stream(void *largest, const Stack *s, size_t step, float loss) {
    (void)loss;
    if (step == setup.steps) *(double *)largest = largest_stream(s);
}

static void judge(const Settings *settings) {
    double loss[PROBLEM_SEEDS], stream[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        StackTraining config =
            setup_training(&runs[PRE], DEPTH, 0.002, settings->seed + k);
        config.prepare = prepare;
        loss[k] = stack_train(&config, measure_stream, &stream[k]);
        printf("seed %zu: mean loss of the last %d steps %.3f, largest mean square of "
               "the stream %.1f\n",
               k + 1, TRAINING_TAIL, loss[k], stream[k]);
    }
    problem_at_most("stream", stream, 10);
    problem_at_most("loss", loss, 0.8);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "02/level_stream", judge);
}
