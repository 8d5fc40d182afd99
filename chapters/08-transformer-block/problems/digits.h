/* The task that the judges of this chapter share: the ablation's, trained with any
 * small model. */
#ifndef CHAPTER_08_DIGITS_H
#define CHAPTER_08_DIGITS_H

#include "08-transformer-block/experiments/small_model.h"

/* Trains on sentences of the seed; the loss of each step goes to losses [steps].
 * `attention`: as in small_model_logits. */
void digits_train(double *losses, size_t steps, SmallModel *m, const Layer *attention,
                  float rate, uint64_t seed);

#endif
