/* Open problem 11/spoilt_batches. The rules are in
 * chapters/11-training/problems/spoilt_batches.h. */
#include "11-training/problems/spoilt_batches.h"

#include "program/problem.h"

/* The mean, as always. */
void combine_gradients(float out[SIZE], const float gradients[MICRO_BATCHES][SIZE]) {
    PROBLEM_TODO("11/spoilt_batches");
    for (size_t i = 0; i < SIZE; i++) {
        out[i] = 0;
        for (size_t b = 0; b < MICRO_BATCHES; b++)
            out[i] += gradients[b][i] / MICRO_BATCHES;
    }
}
