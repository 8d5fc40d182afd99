/* The judge of open problem 02/deep_post_ln. */
#include "02-pre-ln-vs-post-ln/problems/deep_post_ln.h"

#include <stdio.h>

#include "02-pre-ln-vs-post-ln/experiments/setup.h"
#include "02-pre-ln-vs-post-ln/problems/given_stack.h"
#include "error.h"
#include "problem.h"

static void prepare(void *context, Params *params, Stack *s) {
    (void)context;
    GivenStack given = given_stack(params, s);
    deep_post_ln(params, s);
    expect_given(&given, params, s, 1);
}

/* A join that leaves a branch out would make a shallow stack of a deep one. */
static void expect_all_trained(void *context, const Stack *s, size_t step, float loss) {
    (void)context, (void)loss;
    if (step < setup.steps) return;
    for (size_t l = 0; l < PROBLEM_DEPTH; l++) {
        if (tensor_grad_norm(s->mlps[l].up.weight) == 0)
            die("layer %zu gets no gradient: it is not trained", l);
    }
}

static void judge(const Settings *settings) {
    double loss[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        TrialConfig config = setup_trial(&runs[POST], PROBLEM_DEPTH, 0.002, settings->seed + k);
        config.prepare = prepare;
        loss[k] = trial_run(&config, expect_all_trained, NULL);
        printf("seed %zu: mean loss of the last %d steps %.3f\n", k + 1, TRIAL_TAIL, loss[k]);
    }
    problem_at_most("loss", loss, 1.0);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "02/deep_post_ln", judge);
}
