/* The experiments of this chapter. */
#ifndef CHAPTER_08_EXPERIMENTS_H
#define CHAPTER_08_EXPERIMENTS_H

#include "program/program.h"

/* ablation.csv: steps and loss of each variant of an eight-block model, for each
 * seed and two inits. */
void experiment_ablation(const Settings *settings);

/* language.csv: losses of GPT-2's block, LLaMA's and two between them on the
 * built-in language. */
void experiment_language(const Settings *settings);

/* batchnorm-decoder.csv: losses of two decoders, one with BatchNorm, by how much they
 * read at a time. */
void experiment_batchnorm_decoder(const Settings *settings);

/* batchnorm-leak.csv: losses of models with BatchNorm on words that nothing
 * predicts, by the size of the batch. */
void experiment_batchnorm_leak(const Settings *settings);

/* cost.csv: multiplications of a block by part, and measured memory, by the length
 * of the text. */
void experiment_cost(const Settings *settings);

/* cost-time.csv: processor time of attention and FFN by the length of the text. */
void experiment_cost_time(const Settings *settings);

/* encoder.csv: shares of questions that an encoder and a decoder answer. */
void experiment_encoder(const Settings *settings);

#endif
