/* The experiments of this chapter, one file each, and the tables of its demo. */
#ifndef CHAPTER_02_EXPERIMENTS_H
#define CHAPTER_02_EXPERIMENTS_H

#include "program/program.h"

/* --- networks that have not been trained --- */

/* The gradient of every layer, averaged over one input, a batch or thousands of inputs
 * before its norm is taken: expected-gradient.csv. */
void experiment_expected_gradient(const Settings *settings);

/* --- training --- */

/* Final loss by learning rate for 6 and 12 layers: rates.csv. */
void experiment_rates(const Settings *settings);

/* Final loss by length of the warm-up: warmup-length.csv. */
void experiment_warmup_length(const Settings *settings);

/* A norm at the entrance of each branch, at its exit, and at both, by learning rate:
 * loss and stream after training: both-ends.csv. */
void experiment_both_ends(const Settings *settings);

/* Four changes of the run that fails, over seeds: one-vector.csv, one-vector-means.csv,
 * and the spread of two of them at each of the first steps: one-vector-steps.csv. The
 * first step of Adam for three activations: one-vector-first.csv. */
void experiment_one_vector(const Settings *settings);

/* The demo: four runs on the same batches as a table. */
void show_runs(const Settings *settings);

/* The fewest steps for which there is something to report. */
enum { EARLY_START = 11, EARLY_END = 30, EARLY = EARLY_END - EARLY_START + 1 };

#endif
