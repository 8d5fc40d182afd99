/* Networks that differ in their norm alone: does leaving out the mean cost anything, and when? */
#ifndef CHAPTER_03_COMPARISON_H
#define CHAPTER_03_COMPARISON_H

#include "program.h"

/* Two networks, LayerNorm and RMSNorm, on inputs whose mean grows: the final losses, as a table. */
void print_offsets(const Settings *settings);

/* 03-training.csv: loss against step for each norm and seed.
 * 03-part.csv: the final loss of every norm and seed, with pRMSNorm from 50 % of a row down to 1 element. */
void experiment_training(const Settings *settings);

/* 03-offset.csv: the final loss of LayerNorm and RMSNorm against the mean of the inputs. */
void experiment_offset(const Settings *settings);

#endif
