/* The experiments of this chapter, one file each, about how text is drawn from a model:
 * each trains a few small models and writes CSV files. */
#ifndef CHAPTER_12_EXPERIMENTS_H
#define CHAPTER_12_EXPERIMENTS_H

#include "program/program.h"

/* One distribution where much may follow and one where little may, after each filter;
 * all logits before them, and how many tokens a nucleus holds along a text.
 * OUT/12-filters.csv, OUT/12-logits.csv, OUT/12-nucleus.csv */
void experiment_filters(const Settings *settings);

/* Texts by greedy choice, temperature, top-k, top-p and unfiltered sampling: perplexity
 * and distinct 4-grams, beside those of the corpus. OUT/12-strategies.csv */
void experiment_strategies(const Settings *settings);

/* Where greedy text repeats itself: distinct 4-grams of a story, of a text, of all
 * texts, and different beginnings of stories, beside what they would be if all of a
 * text were alike. OUT/12-repeats.csv */
void experiment_repeats(const Settings *settings);

#endif
