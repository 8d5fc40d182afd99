/* Training with a backward pass that is right or wrong: the loss falls in both, and the
 * gradient check tells them apart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "00-tensors/experiments/experiments.h"
#include "00-tensors/experiments/spiral_training.h"
#include "00-tensors/spiral_net.h"
#include "program/claim.h"
#include "files/csv.h"
#include "math/fit.h"
#include "tensor/gradcheck.h"
#include "base/memory.h"

enum { CHECKED = 32 }; /* points that the gradient is checked on */

/* The largest relative difference of a parameter's gradient, by the tape, from that by
 * differences. */
static double gradient_error(bool wrong, uint64_t seed) {
    SpiralData data = spiral_data_create(SPIRAL_POINTS, seed);
    SpiralRun run = spiral_run_create(SPIRAL_HIDDEN, 0, seed);
    run.net.wrong_backward = wrong;
    double right, worst = 0,
                  *numeric = checked_alloc(params_count(&run.params), sizeof *numeric),
                  *next = numeric;
    spiral_gradients(&run, &data, CHECKED, &right);
    spiral_numeric_gradient(numeric, &run, &data, CHECKED);
    for (size_t i = 0; i < run.params.n; i++) {
        const Tensor *x = run.params.items[i].tensor;
        worst = larger(worst, relative_difference(x->grad, next, tensor_size(x)));
        next += tensor_size(x);
    }
    free(numeric);
    spiral_run_free(&run);
    spiral_data_free(&data);
    return worst;
}

/* The claims about errors and outcomes of all seeds, first with the right gradient,
 * then with the wrong one. */
static void claim_wrong_gradient(double error[2][SPIRAL_SEEDS],
                                 SpiralOutcome end[2][SPIRAL_SEEDS]) {
    double largest_right = 0, smallest_wrong = INFINITY, least_fall = INFINITY,
           losses[2][SPIRAL_SEEDS];
    for (size_t s = 0; s < SPIRAL_SEEDS; s++) {
        largest_right = larger(largest_right, error[0][s]);
        smallest_wrong = smaller(smallest_wrong, error[1][s]);
        least_fall = smaller(least_fall, 1 - end[1][s].loss / end[1][s].first_loss);
        for (size_t w = 0; w < 2; w++) losses[w][s] = end[w][s].loss;
    }
    double right = geometric_mean(losses[0], SPIRAL_SEEDS),
           wrong = geometric_mean(losses[1], SPIRAL_SEEDS);
    claim(least_fall > 0,
          "with the wrong gradient the loss falls all the same, by %.0f %% or more (0 "
          "%%)",
          100 * least_fall);
    claim(right * 5 < wrong,
          "it ends at %.2f (geometric mean), %.0f times higher than with the right one "
          "(5 times)",
          wrong, wrong / right);
    claim(largest_right < 1e-5 && smallest_wrong > 0.1,
          "the check tells them apart before the first step: errors to %.0e (1e-5), "
          "and from %.2f (0.1)",
          largest_right, smallest_wrong);
}

void experiment_wrong_gradient(const Settings *settings) {
    size_t steps = settings->quick ? SPIRAL_QUICK_STEPS : SPIRAL_STEPS;
    Csv curves = csv_begin(settings->out, "wrong-gradient", "backward,seed,step,loss");
    Csv ends = csv_begin(settings->out, "wrong-gradient-end",
                         "backward,seed,gradient_error,first_loss,loss,accuracy");
    double error[2][SPIRAL_SEEDS];
    SpiralOutcome end[2][SPIRAL_SEEDS];
    printf("backward  seed  error of the gradient  first loss    loss  accuracy\n");
    for (size_t w = 0; w < 2; w++) {
        for (size_t s = 0; s < SPIRAL_SEEDS; s++) {
            uint64_t seed = settings->seed + s;
            const char *name = w ? "wrong" : "right";
            error[w][s] = gradient_error(w == 1, seed);
            end[w][s] = spiral_train(WITH_ADAMW, 0.02, w == 1, seed, steps, &curves);
            csv_row(&ends, "%s,%llu,%.6g,%.6g,%.6g,%.6g", name,
                    (unsigned long long)seed, error[w][s], end[w][s].first_loss,
                    end[w][s].loss, end[w][s].accuracy);
            printf("%-8s  %4llu  %21.1e  %10.3f  %6.3f  %8.3f\n", name,
                   (unsigned long long)seed, error[w][s], end[w][s].first_loss,
                   end[w][s].loss, end[w][s].accuracy);
        }
    }
    csv_commit(&curves);
    csv_commit(&ends);
    claim_wrong_gradient(error, end);
}
