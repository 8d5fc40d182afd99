/* The settings from this chapter's options, and the configs that its experiments make
 * from them. */
#ifndef CHAPTER_02_SETUP_H
#define CHAPTER_02_SETUP_H

#include <stdbool.h>

#include "02-pre-ln-vs-post-ln/stack_training.h"

enum { CLASSES = 8, MAX_DEPTH = 256, MAX_SEEDS = 8, PLACEMENTS = 2 };

typedef struct {
    size_t width; /* d_model; sublayers have twice as many hidden units */
    size_t depth; /* residual sublayers of the training runs */
    size_t steps, batch, warmup_steps;
    double rate; /* peak learning rate */
} Setup;

/* The defaults, until main has read the options. */
extern Setup setup;

/* Whether depth and rate are the defaults, which the claims about single runs are
 * for. */
bool setup_as_given(void);

/* POST_LN, then PRE_LN. */
extern const Placement placements[PLACEMENTS];

/* A training run: which placement, with or without warm-up. */
typedef struct {
    const char *name;
    Placement placement;
    bool warmup;
} Run;

enum { POST, POST_WARM, PRE, PRE_WARM, RUNS };
extern const Run runs[RUNS];

StackConfig setup_stack(Placement placement, size_t depth);
StackTraining setup_training(const Run *run, size_t depth, double rate, uint64_t seed);

#endif
