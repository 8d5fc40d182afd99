/* The experiments of chapter 15, each in a file of its name. */
#ifndef CHAPTER_15_EXPERIMENTS_H
#define CHAPTER_15_EXPERIMENTS_H

#include "program.h"

void experiment_ladder(const Settings *settings);

#endif
