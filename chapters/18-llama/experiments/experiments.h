/* The experiment of this chapter. */
#ifndef CHAPTER_18_EXPERIMENTS_H
#define CHAPTER_18_EXPERIMENTS_H

#include "program/program.h"

/* From GPT-2 to LLaMA in steps, each trained on the built-in language, and asked at
 * three times the length of its training. OUT/18-five-steps.csv: the loss inside of the
 * trained length and beyond it, by seed; OUT/18-positions.csv: by position. */
void experiment_five_steps(const Settings *settings);

#endif
