/* The experiment of this chapter. */
#ifndef CHAPTER_17_EXPERIMENTS_H
#define CHAPTER_17_EXPERIMENTS_H

#include "program/program.h"

/* The time of a token of the one file and of chapter 13, by the width of the model.
 * OUT/17-sizes.csv */
void experiment_sizes(const Settings *settings);

#endif
