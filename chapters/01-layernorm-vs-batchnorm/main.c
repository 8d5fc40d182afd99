/* Chapter 01: the same sample under LayerNorm and BatchNorm while the batch around it
 * changes. The experiments, each in a file of its own, measure what the batch, its
 * padding, the scale of the weights and rounding do to the two. */
#include "01-layernorm-vs-batchnorm/experiments/experiments.h"
#include "program/program.h"

static void demo(const Settings *settings) {
    show_batches(settings);
    show_variances(settings);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"batch-size", "the same sample in batches of 1 to 256", experiment_batch_size},
        {"padding",
         "sequences padded to one length: what the padding does to the statistics",
         experiment_padding},
        {"small-batch",
         "no norm, BatchNorm and LayerNorm trained with batches of 64 to 1",
         experiment_small_batch},
        {"init-scale", "the same with initial weights from 6e-5 to 1",
         experiment_init_scale},
        {"first-step", "what the first step of SGD makes of small initial weights",
         experiment_first_step},
        {"derivation", "the gradient that the lesson derives, term by term",
         experiment_derivation},
        {"invariance", "which changes of weights and data leave the output alone",
         experiment_invariance},
        {"variance-error", "the variance of numbers far from zero in single precision",
         experiment_variance_error},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "01-layernorm-vs-batchnorm",
                           .summary = "one sample, many batches: what the batch does "
                                      "to BatchNorm and not to LayerNorm",
                           .example = "--seed 7",
                           .experiments = experiments,
                           .demo = demo,
                       });
}
