/* Open problem 08/few_numbers (**): a transformer of 750 parameters that adds digits */
#ifndef CHAPTER_08_FEW_NUMBERS_H
#define CHAPTER_08_FEW_NUMBERS_H

#include "08-transformer-block/experiments/small_model.h"

enum { MOST_PARAMETERS = 750 };

/* Changes the config of a model for the task of this chapter's ablation, and the
 * learning rate. n_tokens and length stay as they are. */
void few_numbers(SmallModelConfig *config, float *rate);

#endif
