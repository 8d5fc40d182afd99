/* Where the norm stands: training with and without warm-up, and why one of
 * them fails. */
#include "02-pre-ln-vs-post-ln/experiments/experiments.h"
#include "02-pre-ln-vs-post-ln/experiments/setup.h"

int main(int argc, char **argv) {
    static const Option options[] = {
        {"width", OPTION_SIZE, &setup.width,
         "d_model; sublayers have twice as many hidden units", 1, 4096},
        {"depth", OPTION_SIZE, &setup.depth, "residual sublayers of the training runs",
         1, MAX_DEPTH},
        {"steps", OPTION_SIZE, &setup.steps, "training steps", EARLY_END, 1e6},
        {"batch", OPTION_SIZE, &setup.batch, "inputs of a training step", 1, 1e6},
        {"warmup", OPTION_SIZE, &setup.warmup_steps,
         "steps of warm-up, in the runs that have it", 0, 1e6},
        {"rate", OPTION_DOUBLE, &setup.rate, "peak learning rate", 0, 10},
        {0},
    };
    static const Experiment experiments[] = {
        {"expected-gradient",
         "every layer's gradient, averaged over inputs before its norm",
         experiment_expected_gradient},
        {"rates", "final loss by learning rate, with and without warm-up",
         experiment_rates},
        {"warmup-length", "final loss by the length of the warm-up",
         experiment_warmup_length},
        {"both-ends", "a norm at the entrance of each branch, at its exit, at both",
         experiment_both_ends},
        {"one-vector", "what saves the failing run, and what its first step adds",
         experiment_one_vector},
        {0},
    };
    return program_run(
        argc, argv,
        &(Program){.name = "02-pre-ln-vs-post-ln",
                   .summary = "the norm before or behind the sublayer, and warm-up",
                   .example = "--depth 12 --rate 4e-3",
                   .options = {options},
                   .experiments = experiments,
                   .demo = show_runs});
}
