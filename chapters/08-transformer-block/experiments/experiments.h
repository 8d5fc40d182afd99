/* The experiments of this chapter. */
#ifndef CHAPTER_08_EXPERIMENTS_H
#define CHAPTER_08_EXPERIMENTS_H

#include "program.h"

/* 08-ablation.csv: steps and loss of each variant of an eight-block model, for each seed and two inits. */
void experiment_ablation(const Settings *settings);

#endif
