/* How far RMSNorm's output is from LayerNorm's, on one row with a mean. */
#ifndef CHAPTER_03_DIFFERENCE_H
#define CHAPTER_03_DIFFERENCE_H

#include "program.h"

/* A table for rows of `dim` numbers. */
void print_differences(const Settings *settings, size_t dim);

/* 03-mean-ratio.csv: the distance against mean / standard deviation, rows of 256. */
void experiment_mean_ratio(const Settings *settings);

#endif
