/* The experiments of this chapter, one file each. */
#ifndef CHAPTER_13_EXPERIMENTS_H
#define CHAPTER_13_EXPERIMENTS_H

#include "program/program.h"

/* The time of a token by its position, with the cache and without, in a small model and
 * in one of GPT-2's size. OUT/13-time-per-token.csv, OUT/13-time-gpt2.csv, and each
 * with -total */
void experiment_time_per_token(const Settings *settings);
void experiment_gpt2_124m(const Settings *settings);

/* Resident memory of the cache against the tokens written. OUT/13-cache-memory.csv */
void experiment_cache_memory(const Settings *settings);

/* Perplexity of the corpus against position for the whole cache, a window, and a window
 * of the same size with sinks or with four other old tokens; and how much attention the
 * first tokens get. For three models trained here, or for that of --model.
 * OUT/13-sinks.csv, sinks-late.csv, sinks-in-sight.csv, sink-attention.csv,
 * stories.csv */
void experiment_sinks(const Settings *settings);

#endif
