/* The experiment of this chapter. */
#ifndef CHAPTER_04_EXPERIMENTS_H
#define CHAPTER_04_EXPERIMENTS_H

#include "program.h"

/* 04-approximations.csv: GELU, its approximations and their errors over x. */
void experiment_approximations(const Settings *settings);

#endif
