/* The experiments of this chapter, one file each, and a table of its demo. */
#ifndef CHAPTER_06_EXPERIMENTS_H
#define CHAPTER_06_EXPERIMENTS_H

#include "program.h"

/* 06-position-similarity.csv: the cosine of each two positions,
 * sinusoidal and drawn at random; and as a table. */
void experiment_position_similarity(const Settings *settings);
void show_similarity(void);

/* 06-order.csv: a task that cannot be learned without positions, by steps. */
void experiment_order(const Settings *settings);

#endif
