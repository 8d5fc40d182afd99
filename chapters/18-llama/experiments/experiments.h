/* The experiments of this chapter. */
#ifndef CHAPTER_18_EXPERIMENTS_H
#define CHAPTER_18_EXPERIMENTS_H

#include "program/program.h"

/* From GPT-2 to LLaMA in steps, each trained on the built-in language, and asked at
 * three times the length of its training. OUT/18-five-steps.csv: the loss inside of the
 * trained length and beyond it, by seed. */
void experiment_five_steps(const Settings *settings);

/* Where a model takes its positions from, inside of the trained length and beyond it:
 * learned, sinusoids, none but the causal mask, rotations, a penalty for the distance.
 * OUT/18-lengths.csv: losses by seed; OUT/18-lengths-positions.csv: by position. */
void experiment_lengths(const Settings *settings);

/* Rotary models asked at three times their length with frequencies as they were,
 * interpolated, scaled as Llama 3 does it, and with one pair slower; at once, and after
 * some steps of training at that length. OUT/18-stretch.csv,
 * OUT/18-stretch-positions.csv. */
void experiment_stretch(const Settings *settings);

/* Query heads for each head of keys and values: loss and cache, with the weights that
 * are saved left out, and given to the FFN. OUT/18-groups.csv. */
void experiment_groups(const Settings *settings);

#endif
