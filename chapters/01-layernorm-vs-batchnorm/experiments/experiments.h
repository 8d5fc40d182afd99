/* The experiments of this chapter, one file each, and the tables of its demo. */
#ifndef CHAPTER_01_EXPERIMENTS_H
#define CHAPTER_01_EXPERIMENTS_H

#include "program/program.h"

void show_batches(const Settings *settings);   /* batch_size.c */
void show_variances(const Settings *settings); /* variance_error.c */

void experiment_batch_size(const Settings *settings);
void experiment_small_batch(const Settings *settings);
void experiment_padding(const Settings *settings);
void experiment_variance_error(const Settings *settings);
void experiment_init_scale(const Settings *settings);
void experiment_first_step(const Settings *settings);
void experiment_invariance(const Settings *settings);
void experiment_derivation(const Settings *settings);

/* Independent sequences of random numbers of one seed. */
enum { STREAM_SCALE = 1, STREAM_SAMPLE, STREAM_INIT, STREAM_DATA };

#endif
