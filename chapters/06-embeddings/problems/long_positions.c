/* The judge of open problem 06/long_positions. */
#include "06-embeddings/problems/long_positions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "program/problem.h"

enum { STEPS = 300 };

static void fill(LookbackModel *m) {
    float table[LOOKBACK_PLACES][LOOKBACK_DIM] = {0};
    long_positions(table);
    for (size_t i = 0; i < LOOKBACK_PLACES * LOOKBACK_DIM; i++) {
        float x = table[i / LOOKBACK_DIM][i % LOOKBACK_DIM];
        if (!(fabsf(x) <= 1))
            die("row %zu, column %zu of the table is %g, expected -1 to 1",
                i / LOOKBACK_DIM, i % LOOKBACK_DIM, (double)x);
    }
    memcpy(m->wpe->data, table, sizeof table);
}

/* The share of right answers at the places that no training saw. */
static double right_share(uint64_t seed) {
    double accuracy[LOOKBACK_PLACES], sum = 0;
    LookbackModel m = lookback_create(POSITIONS_SINUSOIDAL, seed);
    fill(&m);
    lookback_train(&m, 1, STEPS, seed);
    lookback_measure(accuracy, &m, seed);
    for (size_t p = LOOKBACK_TRAINED; p < LOOKBACK_PLACES; p++) sum += accuracy[p];
    lookback_free(&m);
    return sum / (LOOKBACK_PLACES - LOOKBACK_TRAINED);
}

static void judge(const Settings *settings) {
    double right[PROBLEM_SEEDS];
    for (size_t k = 0; k < PROBLEM_SEEDS; k++) {
        right[k] = right_share(settings->seed + k);
        printf("seed %zu: %.3f right at places %d to %d\n", k + 1, right[k],
               LOOKBACK_TRAINED, LOOKBACK_PLACES - 1);
    }
    problem_at_least("right answers", right, 0.85);
}

int main(int argc, char **argv) {
    return problem_run(argc, argv, "06/long_positions", judge);
}
