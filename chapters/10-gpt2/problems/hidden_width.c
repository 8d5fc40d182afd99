/* The judge of open problem 10/hidden_width. */
#include "10-gpt2/problems/hidden_width.h"

#include <stdio.h>

#include "program/problem.h"
#include "math/random.h"

enum { BOXES = 10, LEAST = 8, MOST = 64 };

static void judge(const Settings *settings) {
    double right[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        size_t n_right = 0, width = 0, found = 0;
        for (size_t i = 0; i < BOXES; i++) {
            width = LEAST + 2 * random_below(&random, (MOST - LEAST) / 2 + 1);
            BlackBox *box = black_box_create(
                width, HEALTHY, (settings->seed + k) * BOXES + i, WIDTH_QUESTIONS);
            found = hidden_width(box);
            black_box_free(box);
            n_right += found == width;
        }
        printf("seed %zu: %zu of %d widths are right; the last is %zu, found %zu\n",
               k + 1, n_right, BOXES, width, found);
        right[k] = (double)n_right / BOXES;
    }
    problem_at_least("share of the widths", right, 1);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "10/hidden_width", judge);
}
