/* Trainings for the experiments: a small model on the built-in language, at the first
 * ranks of this run. */
#ifndef CHAPTER_16_TRIALS_H
#define CHAPTER_16_TRIALS_H

#include "16-data-parallel/data_parallel.h"
#include "16-data-parallel/experiments/all_reduce.h"

typedef struct {
    Ranks ranks;
    bool takes_part; /* this rank is one of them */
    DataParallel parallel;
    Dataset data;
    Trainer trainer;
} Trial;

typedef struct {
    size_t n_layer, width, context, batch, accumulate, steps;
} TrialSize;

const Ranks *trial_ranks(void);

/* Ends the program where this run has fewer ranks. */
void trial_expect_ranks(const char *experiment, size_t n);

/* Every rank of the run calls these together; the others only wait. `other` stands in
 * the place of the tree, NULL: the tree. */
void trial_begin(Trial *t, size_t n_ranks, const TrialSize *size, uint64_t seed,
                 AllReduce *other);
void trial_step(Trial *t);
void trial_end(Trial *t);

/* All weights of the trial, one behind the other, in new memory; *n: how many. */
float *trial_weights(const Trial *t, size_t *n);

#endif
