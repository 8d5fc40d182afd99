/* The experiments of this chapter, one file each, and two tables of its demo. */
#ifndef CHAPTER_06_EXPERIMENTS_H
#define CHAPTER_06_EXPERIMENTS_H

#include "program/program.h"

/* order.csv, order-twins.csv: a task that cannot be learned without positions, or
 * something in their place; and its first steps as a table. */
void experiment_order(const Settings *settings);
void show_order(uint64_t seed);

/* lengths.csv: sentences of different lengths in one batch, and a mean that counts
 * their padding. */
void experiment_lengths(const Settings *settings);

/* initialization.csv: the same model from three starts, at four learning rates. */
void experiment_initialization(const Settings *settings);

/* position-similarity.csv, similarity-by-distance.csv: the cosine of each two
 * positions, sinusoidal and learned; and of sinusoidal ones as a table. */
void experiment_position_similarity(const Settings *settings);
void show_similarity(void);

/* extrapolation.csv, -mean, -seeds: positions past the length they were trained
 * with. */
void experiment_extrapolation(const Settings *settings);

/* tying.csv: one table for reading and writing, or two. */
void experiment_tying(const Settings *settings);

/* word-vectors.csv, word-map.csv: which words of a learned table are alike. */
void experiment_word_vectors(const Settings *settings);

/* vocabulary.csv: the cost of a step as the vocabulary grows. */
void experiment_vocabulary(const Settings *settings);

/* rare-word.csv: how far AdamW moves the row of a word that occurs once. */
void experiment_rare_word(const Settings *settings);

#endif
