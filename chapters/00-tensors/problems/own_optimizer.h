/* The task that the judges of this chapter share: the spirals, trained by the learner's
 * optimizer. */
#ifndef CHAPTER_00_OWN_OPTIMIZER_H
#define CHAPTER_00_OWN_OPTIMIZER_H

#include <stdint.h>

#include "tensor/tensor.h"

/* One step, counted from 1, on tensor `index` of the network, with its gradient. */
typedef void OwnStep(void *context, Tensor *x, size_t index, size_t step);

/* The loss after SPIRAL_STEPS steps on the spirals of the seed, whose coordinates are
 * multiplied by
 * `scale`. */
double own_optimizer_loss(uint64_t seed, float scale, OwnStep *own_step, void *context);

#endif
