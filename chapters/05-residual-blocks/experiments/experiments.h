/* The experiments of this chapter, one file each. */
#ifndef CHAPTER_05_EXPERIMENTS_H
#define CHAPTER_05_EXPERIMENTS_H

#include "program.h"

/* 05-variance-by-depth.csv: |x_l|^2 / d behind each of 32 sublayers, by scheme. */
void experiment_variance_by_depth(const Settings *settings);

/* 05-residual-init.csv: |x_N|^2 / d at the end of stacks of 6 to 96 sublayers,
 * with and without GPT-2's scaling. */
void experiment_residual_init(const Settings *settings);

#endif
