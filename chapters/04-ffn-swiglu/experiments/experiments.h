/* The experiments of this chapter, one file each. */
#ifndef CHAPTER_04_EXPERIMENTS_H
#define CHAPTER_04_EXPERIMENTS_H

#include "program/program.h"

/* approximations.csv: activations, their slopes, the forms of GELU and their errors
 * over x; worst.csv: the largest error of each form; table-size.csv: that of a
 * table, by its size. */
void experiment_approximations(const Settings *settings);

/* The slopes of both GELUs, term by term, against differences: a table, no file. */
void experiment_derivation(const Settings *settings);

/* A model that gets another form of GELU than it was trained with: swapped.csv. */
void experiment_swapped(const Settings *settings);

/* Nine FFNs of the same size, over seeds and three learning rates: nine-ffns.csv. */
void experiment_nine_ffns(const Settings *settings);

/* Hidden units that nothing switches on, over training, with ReLU and with GELU:
 * dead-relus.csv. */
void experiment_dead_relus(const Settings *settings);

/* Two matrices with nothing between them against two with ReLU: a table, no file. */
void experiment_no_bend(const Settings *settings);

/* How many random pairs an FFN can hold: capacity.csv and capacity-slope.csv. */
void experiment_facts(const Settings *settings);

/* Whether a value predicts the byte that follows where its key fires: keys.csv. */
void experiment_keys(const Settings *settings);

#endif
