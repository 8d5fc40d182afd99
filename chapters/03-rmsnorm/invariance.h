/* What can be done to weights and inputs without changing the output of a norm (Ba et al. 2016, table 1;
 * Zhang & Sennrich 2019, table 1). */
#ifndef CHAPTER_03_INVARIANCE_H
#define CHAPTER_03_INVARIANCE_H

#include "program.h"

/* 03-invariance.csv: the largest change of the output for each change and norm, in double precision with eps
 * = 0. Prints the table and asserts it. */
void experiment_invariance(const Settings *settings);

#endif
