/* Experiment: what a cache that forgets costs, with and without attention sinks. */
#ifndef CHAPTER_13_SINKS_H
#define CHAPTER_13_SINKS_H

#include "program.h"

/* Perplexity of the corpus against position for the whole cache, a window, and a window of the same size with
 * sinks; and how much attention the first tokens get. For three models trained here, or for the one in the
 * directory. OUT/13-sinks.csv, 13-sinks-late.csv, 13-sink-attention.csv */
void sinks_of(const Settings *settings, const char *model_directory);

#endif
