/* The sizes of this chapter's experiments: see setup.h. */
#include "02-pre-ln-vs-post-ln/experiments/setup.h"

#define GIVEN_DEPTH 6
#define GIVEN_RATE 0.016

Setup setup = {.width = 32,
               .depth = GIVEN_DEPTH,
               .steps = 1000,
               .batch = 32,
               .warmup_steps = 400,
               .rate = GIVEN_RATE};

bool setup_as_given(void) {
    return setup.depth == GIVEN_DEPTH && setup.rate == GIVEN_RATE;
}

const Placement placements[PLACEMENTS] = {POST_LN, PRE_LN};

const Run runs[RUNS] = {
    [POST] = {"post-LN", POST_LN, false},
    [POST_WARM] = {"post-LN + warm-up", POST_LN, true},
    [PRE] = {"pre-LN", PRE_LN, false},
    [PRE_WARM] = {"pre-LN + warm-up", PRE_LN, true},
};

StackConfig setup_stack(Placement placement, size_t depth) {
    return (StackConfig){.d_model = setup.width,
                         .d_hidden = 2 * setup.width,
                         .depth = depth,
                         .placement = placement,
                         .n_out = CLASSES};
}

StackTraining setup_training(const Run *run, size_t depth, double rate, uint64_t seed) {
    return (StackTraining){.stack = setup_stack(run->placement, depth),
                           .steps = setup.steps,
                           .batch = setup.batch,
                           .peak = (float)rate,
                           .warmup_steps = run->warmup ? setup.warmup_steps : 0,
                           .seed = seed};
}
