/* The experiments of this chapter, one file each. What they do not set is as the
 * program's options say. */
#ifndef CHAPTER_11_EXPERIMENTS_H
#define CHAPTER_11_EXPERIMENTS_H

#include "program/program.h"

/* bad-batch.csv, -end: one bad batch in the middle of a training, with and without
 * clipping. */
void experiment_bad_batch(const Settings *settings);

/* schedule.csv: validation loss while training, by what the learning rate does. */
void experiment_schedule(const Settings *settings);

/* resume.csv: a training that goes on without the moments of AdamW. */
void experiment_resume(const Settings *settings);

/* loss.csv, -end: a small GPT-2 learns the built-in language; its loss against the
 * entropy. The training of `make tour`. */
void experiment_loss(const Settings *settings);

/* answers.csv: what is above the floor, in the answers of the stories and in the
 * rest. windows.csv: why the training loss is above the validation loss. */
void experiment_answers(const Settings *settings);

/* keys.csv: for how many units of each layer the value speaks for what follows where
 * the key fires. */
void experiment_keys(const Settings *settings);

/* layer-gradients.csv, -end: the gradient norm of each block while training, by the
 * placement of the norm. */
void experiment_layer_gradients(const Settings *settings);

/* cost.csv: operations, bytes and seconds of a step by size. The last three columns
 * are times. */
void experiment_cost(const Settings *settings);

/* rates.csv: loss by learning rate and batch size, of the same tokens. */
void experiment_rates(const Settings *settings);

/* isoflop.csv, -best, -exponent: five sizes of model by five budgets of
 * operations. */
void experiment_isoflop(const Settings *settings);

/* mixed-precision.csv: training with activations and gradients in 16 bits. */
void experiment_mixed_precision(const Settings *settings);

/* shakespeare.csv, -best: training and validation loss on a part of tiny
 * Shakespeare, by size. Needs the text: --text FILE, or data/tinyshakespeare.txt;
 * without it, it says so and writes nothing. */
void experiment_shakespeare(const Settings *settings);

#endif
