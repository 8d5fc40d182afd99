/* Chapter 15: one matrix product in eight steps, what the machine can do, and GPT-2 on a product of your choice. */
#include <stdio.h>

#include "15-speed/experiments/experiments.h"
#include "15-speed/ladder.h"
#include "program.h"

static void demo(const Settings *settings) {
    (void)settings;
    for (size_t s = 0; s < STEPS; s++) printf("%zu %-10s %s\n", s + 1, ladder[s].name, ladder[s].says);
}

int main(int argc, char **argv) {
    static const Experiment experiments[] = {
        {"ladder", "every step against the peak, common/matmul.c and OpenBLAS", experiment_ladder},
        {0},
    };
    return program_run(argc, argv,
                       &(Program){
                           .name = "15-speed",
                           .summary = "a matrix product from three loops to the machine's peak",
                           .example = "--experiment ladder --quick",
                           .experiments = experiments,
                           .demo = demo,
                       });
}
