/* The median of each number (Yin et al. 2018). Before you read on: make hint-11
 * P=spoilt_batches */
#include "11-training/problems/spoilt_batches.h"

#include <stdlib.h>

static int by_size(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Four of twenty move a mean as far as they like; the middle of twenty lies among the
 * other sixteen. */
void combine_gradients(float out[SIZE], const float gradients[MICRO_BATCHES][SIZE]) {
    for (size_t i = 0; i < SIZE; i++) {
        float x[MICRO_BATCHES];
        for (size_t b = 0; b < MICRO_BATCHES; b++) x[b] = gradients[b][i];
        qsort(x, MICRO_BATCHES, sizeof *x, by_size);
        out[i] = (x[MICRO_BATCHES / 2 - 1] + x[MICRO_BATCHES / 2]) / 2;
    }
}
