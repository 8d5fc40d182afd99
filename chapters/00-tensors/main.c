/* Chapter 00: the gradient of a small network is checked, and it is trained with SGD
 * and with AdamW. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/experiments/experiments.h"
#include "00-tensors/spiral_net.h"
#include "math/fit.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"
#include "program/program.h"

static size_t n_points = 200, hidden = 64, steps = 1000;
static double sgd_rate = 0.5, adamw_rate = 0.02;
static bool wrong_backward, only_tape;

/* Prints each parameter's gradient by the tape beside the one by differences. */
static void check_gradient(const SpiralRun *run, const SpiralData *data, size_t n) {
    double *numeric = checked_alloc(params_count(&run->params), sizeof *numeric),
           *next = numeric;
    spiral_numeric_gradient(numeric, run, data, n);
    printf("gradient of the loss, by the tape and by differences (%zu points)\n", n);
    printf("parameter   shape      largest    relative difference\n");
    for (size_t i = 0; i < run->params.n; i++) {
        char shape[TENSOR_SHAPE_TEXT];
        const Tensor *x = run->params.items[i].tensor;
        double largest = 0,
               difference = relative_difference(x->grad, next, tensor_size(x));
        for (size_t j = 0; j < tensor_size(x); j++)
            largest = larger(largest, fabs(next[j]));
        printf("%-11s %-10s %-10.4f ", run->params.items[i].name,
               tensor_shape_text(x, shape), largest);
        if (difference < 1e-5) {
            printf("below 0.00001\n");
        } else {
            printf("%.5f  <- wrong\n", difference);
        }
        next += tensor_size(x);
    }
    free(numeric);
}

/* Prints the tape of one forward pass. */
static void print_tape(const Settings *settings) {
    SpiralData data = spiral_data_create(n_points, settings->seed);
    SpiralRun run = spiral_run_create(hidden, adamw_rate, settings->seed);
    run.net.wrong_backward = wrong_backward;
    spiral_loss(&run, &data, n_points, NULL);
    tape_print(&run.tape);
    spiral_run_free(&run);
    spiral_data_free(&data);
}

static void demo(const Settings *settings) {
    if (only_tape) {
        print_tape(settings);
        return;
    }
    SpiralData data = spiral_data_create(n_points, settings->seed);
    SpiralRun sgd = spiral_run_create(hidden, adamw_rate, settings->seed),
              adamw = spiral_run_create(hidden, adamw_rate, settings->seed);
    sgd.net.wrong_backward = adamw.net.wrong_backward = wrong_backward;
    size_t n_check = n_points < 32 ? n_points : 32, first_mallocs = 0;
    double sgd_right, adamw_right;
    spiral_gradients(&sgd, &data, n_check, &sgd_right);
    check_gradient(&sgd, &data, n_check);

    printf(
        "\ntwo spirals, %zu points, %zu parameters; untrained loss near ln 2 = 0.693\n",
        n_points, params_count(&sgd.params));
    printf("           SGD %-8g          AdamW %g\n", sgd_rate, adamw_rate);
    printf("  step     loss  accuracy       loss  accuracy\n");
    for (size_t step = 0; step <= steps; step++) {
        double sgd_loss = (double)spiral_gradients(&sgd, &data, n_points, &sgd_right);
        double adamw_loss =
            (double)spiral_gradients(&adamw, &data, n_points, &adamw_right);
        if (step % (steps / 10 ? steps / 10 : 1) == 0) {
            printf("%6zu   %6.4f     %.3f     %6.4f     %.3f\n", step, sgd_loss,
                   sgd_right, adamw_loss, adamw_right);
        }
        sgd_step(&sgd.params, (float)sgd_rate);
        adamw_step(&adamw.adamw, &adamw.params);
        if (step == 0) first_mallocs = adamw.tape.arena.grown;
    }
    printf("\narena of the tape: %zu KiB at most; calls of malloc in the first step "
           "%zu, in all later ones "
           "%zu\n",
           adamw.tape.arena.peak / 1024, first_mallocs,
           adamw.tape.arena.grown - first_mallocs);
    spiral_run_free(&sgd);
    spiral_run_free(&adamw);
    spiral_data_free(&data);
}

int main(int argc, char **argv) {
    static const Option options[] = {
        {"points", OPTION_SIZE, &n_points, "points of the two spirals", 2, 1e5},
        {"hidden", OPTION_SIZE, &hidden, "width of the hidden layer", 1, 4096},
        {"steps", OPTION_SIZE, &steps, "training steps", 0, 1e6},
        {"sgd-rate", OPTION_DOUBLE, &sgd_rate, "learning rate of SGD", 0, 1e3},
        {"adamw-rate", OPTION_DOUBLE, &adamw_rate, "learning rate of AdamW", 0, 1e3},
        {"print-tape", OPTION_FLAG, &only_tape,
         "print what a forward pass leaves on the tape, and end", 0, 0},
        {"wrong-backward", OPTION_FLAG, &wrong_backward,
         "use a ReLU whose backward pass is wrong", 0, 0},
        {0},
    };
    static const Experiment experiments[] = {
        {"gradient-check", "error of a numeric gradient against its step",
         experiment_gradient_check},
        {"wrong-gradient", "training with a right and with a wrong backward pass",
         experiment_wrong_gradient},
        {"regions", "the border between the classes after training",
         experiment_regions},
        {"learning-rates", "SGD and AdamW over learning rates",
         experiment_learning_rates},
        {"step-size", "how far AdamW moves a weight, as a share of the rate",
         experiment_step_size},
        {0},
    };
    return program_run(
        argc, argv,
        &(Program){
            .name = "00-tensors",
            .summary = "a small network: tape, gradient check, SGD and AdamW",
            .example = "--wrong-backward",
            .options = {options},
            .experiments = experiments,
            .demo = demo,
        });
}
