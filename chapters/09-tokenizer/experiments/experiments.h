/* The experiments of chapter 09: how well a vocabulary compresses, and how long
 * encoding takes. */
#ifndef CHAPTER_09_EXPERIMENTS_H
#define CHAPTER_09_EXPERIMENTS_H

#include "program/program.h"

/* compression.csv: bytes per token against the size of the vocabulary. */
void experiment_compression(const Settings *settings);

/* encode-time.csv, encode-growth.csv: seconds against the length of a word, for
 * the given encoder and the exercise's. */
void experiment_encode_time(const Settings *settings);

#endif
