/* The experiments of chapter 16. */
#ifndef CHAPTER_16_EXPERIMENTS_H
#define CHAPTER_16_EXPERIMENTS_H

#include "16-data-parallel/ranks.h"
#include "program/program.h"

/* Before any of them: the ranks of this run, of which an experiment takes the first
 * ones. */
void experiments_use(const Ranks *ranks);

void experiment_bits(const Settings *settings);
void experiment_messages(const Settings *settings);
void experiment_timeline(const Settings *settings);
void experiment_speed(const Settings *settings);
void experiment_memory(const Settings *settings);
void experiment_scale(const Settings *settings);

#endif
