/* Experiments that train: learning rates with and without warm-up, and what the gradients do meanwhile. */
#ifndef CHAPTER_02_TRAINING_H
#define CHAPTER_02_TRAINING_H

#include "program.h"

/* Final loss by learning rate for 6 and 12 layers: 02-rates.csv. */
void learning_rates(const Settings *settings);

/* The gradient norm of every layer during training: 02-layer-gradients.csv. */
void layer_gradients(const Settings *settings);

/* Four runs on the same batches as a table. */
void print_training(const Settings *settings);

/* The fewest steps for which there is something to report. */
enum { EARLY_START = 11, EARLY_END = 30, EARLY = EARLY_END - EARLY_START + 1 };

#endif
