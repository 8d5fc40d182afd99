/* The experiments of this chapter, one file each, and the tables of its demo. */
#ifndef CHAPTER_02_EXPERIMENTS_H
#define CHAPTER_02_EXPERIMENTS_H

#include "program/program.h"

/* --- networks that have not been trained --- */

/* The last sublayer's gradient against depth: init-gradient.csv. */
void experiment_init_gradient(const Settings *settings);
void show_gradients(const Settings *settings);

/* The gradient of every layer, averaged over one input, a batch or thousands of inputs
 * before its norm is taken: expected-gradient.csv. */
void experiment_expected_gradient(const Settings *settings);

/* |x_l|^2 / d behind every layer: stream-size.csv. */
void experiment_stream_size(const Settings *settings);
void show_stream(const Settings *settings);

/* --- training --- */

/* Final loss by learning rate for 6 and 12 layers: rates.csv. */
void experiment_rates(const Settings *settings);

/* Final loss by length of the warm-up: warmup-length.csv. */
void experiment_warmup_length(const Settings *settings);

/* A norm at the entrance of each branch, at its exit, and at both, by learning rate:
 * loss and stream after training: both-ends.csv. */
void experiment_both_ends(const Settings *settings);

/* The gradient norm of every layer during training: layer-gradients.csv is one seed,
 * step by step, layer-gradients-seeds.csv the spread over seeds of three layers. */
void experiment_layer_gradients(const Settings *settings);

/* How large each branch is beside the stream in the first steps, and whether post-LN
 * learns with a norm at the exit of each branch: branch-size.csv. */
void experiment_branch_size(const Settings *settings);

/* Four runs on the same batches as a table. */
void show_training(const Settings *settings);

/* The fewest steps for which there is something to report. */
enum { EARLY_START = 11, EARLY_END = 30, EARLY = EARLY_END - EARLY_START + 1 };

#endif
