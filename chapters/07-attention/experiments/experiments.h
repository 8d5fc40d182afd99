/* The experiment of this chapter. */
#ifndef CHAPTER_07_EXPERIMENTS_H
#define CHAPTER_07_EXPERIMENTS_H

#include "program.h"

/* 07-leak.csv: the loss on words drawn at random, with and without a causal mask, by steps. */
void experiment_leak(const Settings *settings);

#endif
