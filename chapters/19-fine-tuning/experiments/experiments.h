/* The experiments of chapter 19; each writes CSV files and makes claims about them. */
#ifndef CHAPTER_19_EXPERIMENTS_H
#define CHAPTER_19_EXPERIMENTS_H

#include "program/program.h"

void experiment_law(const Settings *settings);
void experiment_ranks(const Settings *settings);
void experiment_mask(const Settings *settings);
void experiment_preferences(const Settings *settings);
void experiment_reward(const Settings *settings);

#endif
