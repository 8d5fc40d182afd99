/* The experiments of this chapter, one file each, and the tables of its demo. */
#ifndef CHAPTER_01_EXPERIMENTS_H
#define CHAPTER_01_EXPERIMENTS_H

#include "program.h"

void show_batches(const Settings *settings);   /* batch_size.c */
void show_variances(const Settings *settings); /* variance.c */

void batch_size_experiment(const Settings *settings);
void small_batch_experiment(const Settings *settings);
void padding_experiment(const Settings *settings);
void variance_experiment(const Settings *settings);
void init_scale_experiment(const Settings *settings);
void invariance_experiment(const Settings *settings);

/* Independent sequences of random numbers of one seed. */
enum { SCALE_STREAM = 1, SAMPLE_STREAM, INIT_STREAM, DATA_STREAM };

#endif
