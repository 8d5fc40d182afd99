/* The experiments of this chapter, one file each, and the tables of its demo. */
#ifndef CHAPTER_03_EXPERIMENTS_H
#define CHAPTER_03_EXPERIMENTS_H

#include "program/program.h"

/* The distance of the two norms' outputs against mean / standard deviation, measured
 * and by the formula, as a table for rows of `dim` numbers. */
void show_differences(const Settings *settings, size_t dim);

/* offset.csv: the final loss of LayerNorm and RMSNorm against the mean of the
 * inputs; and as a table. */
void experiment_offset(const Settings *settings);
void show_offsets(const Settings *settings);

/* part.csv: the final loss of every norm and seed, with pRMSNorm from 50 % of a row
 * down to 1 element. */
void experiment_training(const Settings *settings);

/* invariance.csv: the largest change of the output for each change and norm, in
 * double precision with eps = 0. Prints the table and asserts it. */
void experiment_invariance(const Settings *settings);

/* time.csv: nanoseconds per row against its length, LayerNorm and RMSNorm in turn in
 * the same run. Times differ from run to run; a ratio is asserted, with a margin. */
void experiment_time(const Settings *settings);

/* Parameters, and the arithmetic and memory traffic of one
 * forward pass over a row of `dim` numbers, as a table. */
void show_costs(size_t dim);

#endif
