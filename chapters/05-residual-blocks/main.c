/* Chapter 05's program: eight ways to join train the same layers; the size of the
 * residual stream by depth; dropout in numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "05-residual-blocks/dropout.h"
#include "05-residual-blocks/experiments/experiments.h"
#include "05-residual-blocks/experiments/schemes.h"
#include "base/error.h"
#include "base/memory.h"
#include "program/program.h"

static size_t depth_option = 32, layers_option = 24, steps_option = 300;
static double rate_option = 0.002;

static void print_size(double size) {
    if (isfinite(size)) {
        printf(size < 1e4 ? " %10.3f" : " %10.1e", size);
    } else {
        printf(" %10s", "overflow");
    }
}

static void demo_variance(const Settings *settings) {
    size_t depth = depth_option;
    if (depth % 2)
        die_usage("--depth %zu: expected an even number, two sublayers a block", depth);
    printf(
        "|x_l|^2 / d by depth; %d rows of N(0, 1), d = %d, %zu sublayers, N = %zu\n\n",
        ROWS, D_MODEL, depth, depth);
    for (size_t s = 0; s < SIZED; s++)
        printf("  %-10s %s\n", schemes[s].name, schemes[s].formula);
    printf("\n%5s", "l");
    for (size_t s = 0; s < SIZED; s++) printf(" %10s", schemes[s].name);
    printf("\n");
    double *size = checked_alloc(SIZED * (depth + 1), sizeof *size);
    for (size_t s = 0; s < SIZED; s++)
        stream_size(size + s * (depth + 1), &schemes[s], settings->seed, depth);
    for (size_t l = 0; l <= depth; l = l == 0                       ? 1
                                       : l < depth && 2 * l > depth ? depth
                                                                    : 2 * l) {
        printf("%5zu", l);
        for (size_t s = 0; s < SIZED; s++) print_size(size[s * (depth + 1) + l]);
        printf("\n");
    }
    free(size);
}

static void demo_dropout(const Settings *settings) {
    enum { N = 100000, STREAM_DROPOUT = 2 };
    float *x = checked_alloc(N, sizeof *x);
    printf("\nDropout of %d ones\n\n%6s %10s %10s %12s %12s\n", N, "p", "dropped",
           "mean", "mean square", "1 / (1 - p)");
    const float ps[] = {0.0f, 0.1f, 0.5f, 0.9f};
    for (size_t k = 0; k < sizeof ps / sizeof *ps; k++) {
        Random random = random_stream(settings->seed, STREAM_DROPOUT);
        for (size_t i = 0; i < N; i++) x[i] = 1.0f;
        dropout_forward(x, x, N, ps[k], &random);
        double dropped = 0, sum = 0, squares = 0;
        for (size_t i = 0; i < N; i++) {
            dropped += x[i] == 0.0f;
            sum += (double)x[i];
            squares += (double)x[i] * (double)x[i];
        }
        printf("%6.1f %10.4f %10.4f %12.4f %12.4f\n", (double)ps[k], dropped / N,
               sum / N, squares / N, 1 / (1 - (double)ps[k]));
    }
    free(x);
}

static void demo(const Settings *settings) {
    show_training(settings, layers_option, steps_option, rate_option);
    demo_variance(settings);
    show_measured_scales(settings->seed);
    demo_dropout(settings);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"layers", OPTION_SIZE, &layers_option,
         "residual sublayers of the training runs", 1, MAX_DEPTH},
        {"steps", OPTION_SIZE, &steps_option, "training steps", 3, 1e6},
        {"rate", OPTION_DOUBLE, &rate_option, "learning rate", 0, 10},
        {"depth", OPTION_SIZE, &depth_option,
         "sublayers whose stream is measured, an even number", 2, MAX_DEPTH},
        {0}};
    static const Experiment experiments[] = {
        {"variance-by-depth", "the size of the stream after each sublayer",
         experiment_variance_by_depth},
        {"residual-init",
         "the size of the stream at the end, with and without GPT-2's scaling",
         experiment_residual_init},
        {"two-by-two", "with and without connections and norms, at 6 and 24 layers",
         experiment_two_by_two},
        {"depths", "steps to a loss against depth, by scheme", experiment_depths},
        {"branch-scale",
         "what a branch must be at its start, with and without a connection",
         experiment_branch_scale},
        {"measured-scales",
         "scales measured on a batch, for branches that go along with the stream",
         experiment_measured_scales},
        {"output-shift", "how far the output moves when all weights move by 1 %",
         experiment_output_shift},
        {"clipping",
         "gradient clipping: the step's length and direction, and a run that diverges",
         experiment_clipping},
        {"jacobian", "singular values of the input-output Jacobian before training",
         experiment_jacobian},
        {"lesion", "a trained stack with a layer removed, or two swapped",
         experiment_lesion},
        {"alphas", "the alphas of ReZero during training, by layer", experiment_alphas},
        {"dropout", "trained with dropout, used with it, without it, without its scale",
         experiment_dropout},
        {0}};
    return program_run(argc, argv,
                       &(Program){.name = "05-residual-blocks",
                                  .summary = "what a residual connection does to the "
                                             "size of the stream, and to training",
                                  .example = "--depth 256",
                                  .options = {options},
                                  .experiments = experiments,
                                  .demo = demo});
}
