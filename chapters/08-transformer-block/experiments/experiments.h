/* The experiment of this chapter. */
#ifndef CHAPTER_08_EXPERIMENTS_H
#define CHAPTER_08_EXPERIMENTS_H

#include "program.h"

/* 08-ablation.csv: the loss of each variant of the block by steps, the mean over seeds. */
void experiment_ablation(const Settings *settings);

#endif
