/* The experiments of this chapter, one file each. */
#ifndef CHAPTER_04_EXPERIMENTS_H
#define CHAPTER_04_EXPERIMENTS_H

#include "program/program.h"

/* 04-approximations.csv: activations, their slopes, the forms of GELU and their errors
 * over x; 04-worst.csv: the largest error of each form; 04-table-size.csv: that of a
 * table, by its size. */
void experiment_approximations(const Settings *settings);

/* The slopes of both GELUs, term by term, against differences: a table, no file. */
void experiment_derivation(const Settings *settings);

/* A model that gets another form of GELU than it was trained with: 04-swapped.csv. */
void experiment_swapped(const Settings *settings);

/* Nine FFNs of the same size, over seeds and three learning rates: 04-nine-ffns.csv. */
void experiment_nine_ffns(const Settings *settings);

/* Hidden units that nothing switches on, over training, with ReLU and with GELU:
 * 04-dead-relus.csv. */
void experiment_dead_relus(const Settings *settings);

/* Two matrices with nothing between them against two with ReLU: a table, no file. */
void experiment_no_bend(const Settings *settings);

/* How many random pairs an FFN can hold: 04-facts.csv, and from it 04-capacity.csv. */
void experiment_facts(const Settings *settings);

/* Whether a value says what follows where its key fires: 04-keys.csv. */
void experiment_keys(const Settings *settings);

#endif
