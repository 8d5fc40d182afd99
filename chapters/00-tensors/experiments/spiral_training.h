/* Training on two spirals, as the experiments need it: with either optimizer, with a
 * backward pass that is right or wrong. */
#ifndef CHAPTER_00_SPIRAL_TRAINING_H
#define CHAPTER_00_SPIRAL_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "files/csv.h"

enum {
    SPIRAL_POINTS = 200,
    SPIRAL_HIDDEN = 64,
    SPIRAL_STEPS = 1000,
    SPIRAL_QUICK_STEPS = 200,
    SPIRAL_EVERY = 10,
    SPIRAL_SEEDS = 5
};

typedef enum { WITH_SGD, WITH_ADAMW } SpiralOptimizer;

typedef struct {
    double first_loss, loss, accuracy; /* before the first step, and behind the last */
} SpiralOutcome;

/* Trains from the seed's weights on the seed's points. Each SPIRAL_EVERY steps one row
 * "backward,seed,step,loss" goes to csv (NULL: none). */
SpiralOutcome spiral_train(SpiralOptimizer optimizer, double rate, bool wrong,
                           uint64_t seed, size_t steps, Csv *csv);

#endif
