/* Training runs of this chapter: chapter 02's task and loop, with a stack of any
 * scheme. */
#ifndef CHAPTER_05_RUNS_H
#define CHAPTER_05_RUNS_H

#include "02-pre-ln-vs-post-ln/stack_training.h"
#include "05-residual-blocks/dropout_layer.h"
#include "05-residual-blocks/experiments/schemes.h"

enum { WIDTH = 32, CLASSES = 8, BATCH = 32, RUN_SEEDS = 3 };

typedef struct Run Run;

/* Called at each step, counted from 1, when the gradients are there and the weights not
 * yet changed. */
typedef void RunStep(Run *run, const Stack *s, size_t step, float loss);

/* Changes the weights of a new stack, after the scheme has set them. */
typedef void RunChange(const Stack *s, uint64_t seed);

struct Run {
    const Scheme *scheme;
    size_t depth, steps;
    double rate;
    uint64_t seed;
    float dropout;      /* p at the end of each branch; 0: none */
    float branch_scale; /* of the first output projections, beside the scheme's; 0: 1 */
    RunChange *change;  /* may be NULL */
    RunStep *on_step;   /* may be NULL */
    void *context;      /* for on_step */
    /* set by the run, for on_step: */
    Params *params;
    ResidualJoin *joins; /* [depth] */
    DropoutAfter *drops; /* [depth] */
};

/* Trains and returns the mean loss of the last TRAINING_TAIL steps. */
double run_train(Run *run);

/* Multiplies the output of each branch, by the weights and biases of its last layer. */
void scale_branches(const Stack *s, float factor);

/* The loss of `s` on `rows` inputs that no run trains on; dropout drops only with
 * `training`. */
double fresh_loss(const Stack *s, size_t rows, bool training);

#endif
