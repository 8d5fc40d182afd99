/* The judge of open problem 08/few_numbers. */
#include "08-transformer-block/problems/few_numbers.h"

#include <stdio.h>

#include "08-transformer-block/experiments/variants.h"
#include "08-transformer-block/problems/digits.h"
#include "base/error.h"
#include "math/fit.h"
#include "program/problem.h"

enum { STEPS = 1000, TAIL = 20, STREAM_INIT = 1 };

static void judge(const Settings *settings) {
    double loss[PROBLEM_SEEDS], n_params[PROBLEM_SEEDS], losses[STEPS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        BlockConfig block = block_config_gpt2(32, 2);
        block.d_ff = 96;
        SmallModelConfig config = {.block = block,
                                   .n_layer = 2,
                                   .n_tokens = DIGITS,
                                   .length = DIGITS_LENGTH,
                                   .std = 0.15f,
                                   .std_residual = 0.15f};
        float rate = 3e-3f;
        few_numbers(&config, &rate);
        if (config.n_tokens != DIGITS || config.length != DIGITS_LENGTH ||
            !config.block.causal)
            die("the task is another one: tokens, length or mask have changed");
        Random init = random_stream(settings->seed + k, STREAM_INIT);
        SmallModel m = small_model_create(&config, &init);
        digits_train(losses, STEPS, &m, NULL, rate, settings->seed + k);
        loss[k] = mean_of_last(losses, STEPS, TAIL);
        n_params[k] = (double)params_count(&m.params);
        small_model_free(&m);
        printf("seed %zu: %.0f parameters, mean loss of the last %d steps %.3f\n",
               k + 1, n_params[k], TAIL, loss[k]);
    }
    problem_at_most("parameters", n_params, MOST_PARAMETERS);
    problem_at_most("loss", loss, SOLVED);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "08/few_numbers", judge);
}
