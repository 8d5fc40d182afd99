/* An untrained network and the task's data, for gradients before the first step. */
#ifndef CHAPTER_02_UNTRAINED_H
#define CHAPTER_02_UNTRAINED_H

#include "02-pre-ln-vs-post-ln/stack_training.h"

typedef struct {
    Params params;
    Stack stack;
    Teacher teacher;
    Random data;
    Tape tape;
    float *x; /* [d_model] */
} Untrained;

/* Weights and inputs of the seed. */
Untrained untrained_create(Placement placement, size_t depth, uint64_t seed);

/* Adds the gradients of the loss of one new input. */
void untrained_backward(Untrained *u);

void untrained_free(Untrained *u);

#endif
