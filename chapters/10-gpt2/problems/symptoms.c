/* The judge of open problem 10/symptoms. */
#include "10-gpt2/problems/symptoms.h"

#include <stdio.h>

#include "program/problem.h"
#include "math/random.h"

enum { PATIENTS = 60, QUESTIONS = 10, WIDTH = 16 };

static const char *const names[ILLNESSES] = {
    "healthy", "no mask", "no positions", "no attention", "dropout on", "leaking rows"};

static void judge(const Settings *settings) {
    double right[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        Random random = random_create(settings->seed + k);
        size_t missed[ILLNESSES] = {0}, wrong = 0;
        for (size_t i = 0; i < PATIENTS; i++) {
            Illness illness = random_below(&random, ILLNESSES);
            BlackBox *box = black_box_create(
                WIDTH, illness, (settings->seed + k) * PATIENTS + i, QUESTIONS);
            bool found = symptoms(box) == illness;
            missed[illness] += !found;
            wrong += !found;
            black_box_free(box);
        }
        right[k] = 1 - (double)wrong / PATIENTS;
        printf("seed %zu: %.0f %% of %d boxes named rightly; missed:", k + 1,
               100 * right[k], PATIENTS);
        for (size_t i = 0; i < ILLNESSES; i++)
            printf(" %s %zu%s", names[i], missed[i], i + 1 < ILLNESSES ? "," : "\n");
    }
    problem_at_least("share named rightly", right, 1);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "10/symptoms", judge);
}
