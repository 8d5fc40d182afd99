/* The experiments of chapter 10. */
#ifndef CHAPTER_10_EXPERIMENTS_H
#define CHAPTER_10_EXPERIMENTS_H

#include "program/program.h"

/* mistakes.csv: how far each of a dozen mistakes moves the logits
 * and the loss of the tiny GPT-2 away from PyTorch's. */
void experiment_mistakes(const Settings *settings);

/* mistakes-loss.csv: how far the same mistakes move the loss of models with random
 * weights and of models in training, over seeds. */
void experiment_mistakes_loss(const Settings *settings);

/* sizes.csv: where the parameters of the four published sizes are. */
void experiment_sizes(const Settings *settings);

/* context.csv and stride.csv: the loss of a small trained model, by how many
 * tokens stand in front of the one predicted, and by the stride of the evaluation. */
void experiment_stride(const Settings *settings);

/* padding.csv: losses of models on texts of different lengths in one batch, by the
 * mistake that is made with their padding. */
void experiment_padding(const Settings *settings);

#endif
