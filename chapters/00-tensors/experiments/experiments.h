/* The chapter's experiments, one file each. Each writes its CSV files to settings->out
 * and asserts what its figure shows. */
#ifndef CHAPTER_00_EXPERIMENTS_H
#define CHAPTER_00_EXPERIMENTS_H

#include "program/program.h"

/* Error of a numeric gradient against its step, in float and in double. */
void experiment_gradient_check(const Settings *settings);

/* The loss with a right and with a wrong backward pass, and how wrong the gradient
 * was. */
void experiment_wrong_gradient(const Settings *settings);

/* The border between the classes after training with a right and with a wrong backward
 * pass. */
void experiment_regions(const Settings *settings);

/* The loss after training against the learning rate, with SGD and with AdamW. */
void experiment_learning_rates(const Settings *settings);

/* How far AdamW moves a weight in a step, as a share of the rate, over a training. */
void experiment_step_size(const Settings *settings);

#endif
