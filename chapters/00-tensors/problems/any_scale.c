/* The judge of open problem 00/any_scale. */
#include "00-tensors/problems/any_scale.h"

#include <stdio.h>

#include "00-tensors/problems/own_optimizer.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/problem.h"

enum { MOST_TENSORS = 4, MOST_NUMBERS = 128 };

typedef struct {
    float of[MOST_TENSORS][4 * MOST_NUMBERS];
} States;

static void own_step(void *states, Tensor *x, size_t index, size_t step) {
    if (index >= MOST_TENSORS || tensor_size(x) > MOST_NUMBERS)
        die("the network is larger than this judge expects");
    any_scale(x->data, x->grad, tensor_size(x), ((States *)states)->of[index], step);
}

static void judge(const Settings *settings) {
    static const float scales[] = {0.05f, 1, 20};
    enum { SCALES = sizeof scales / sizeof *scales };
    double worst[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        worst[k] = 0;
        for (size_t i = 0; i < SCALES; i++) {
            States states = {0};
            double loss =
                own_optimizer_loss(settings->seed + k, scales[i], own_step, &states);
            printf("seed %zu, scale %g: loss %.4f\n", k + 1, (double)scales[i], loss);
            worst[k] = larger(worst[k], loss);
        }
    }
    problem_at_most("largest loss of the three scales", worst, 0.01);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "00/any_scale", judge);
}
