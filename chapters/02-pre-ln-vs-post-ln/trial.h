/* A short training run of a stack: the same task and the same optimizer, so that only
 * the config differs. */
#ifndef CHAPTER_02_TRIAL_H
#define CHAPTER_02_TRIAL_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* Random streams of a trial's seed: the weights, and the batches. */
enum { STREAM_INIT = 1, STREAM_DATA };

/* The task: inputs from N(0, 1), each with the class that a fixed random network finds
 * for it. */
typedef struct {
    size_t n_in, n_hidden, n_classes;
    float *up, *down; /* [n_in, n_hidden], [n_hidden, n_classes] */
} Teacher;

/* Fills x [rows, n_in] from `data`, and targets [rows] with the teacher's classes. */
void teacher_batch(const Teacher *teacher, Random *data, float *x, int *targets,
                   size_t rows);

void teacher_free(Teacher *teacher);

/* The teacher of all trials; teacher_free releases it. */
Teacher trial_teacher(size_t n_in, size_t n_classes);

/* What to change of a new stack before its first step: joins, weights, more
 * parameters. */
typedef void TrialPrepare(void *context, Params *params, Stack *s);

typedef struct {
    StackConfig stack; /* n_out is the number of classes */
    size_t steps, batch;
    float peak; /* learning rate of AdamW, without decay */
    size_t warmup_steps;
    size_t unused_batches; /* drawn before the first step, and not trained on */
    uint64_t seed; /* of the weights and the batches; the teacher is the same for all
                      seeds */
    TrialPrepare *prepare; /* gets the context of on_step; NULL: nothing is changed */
} TrialConfig;

/* What to do at each step, counted from 1, when the gradients are there and the weights
 * not yet changed. */
typedef void TrialStep(void *context, const Stack *s, size_t step, float loss);

enum { TRIAL_TAIL = 20 };

/* Trains and returns the mean loss of the last TRIAL_TAIL steps (of all, if there are
 * fewer). `on_step` may be NULL. Every batch is new, so there is nothing to overfit. */
double trial_run(const TrialConfig *config, TrialStep *on_step, void *context);

/* The loss of who knows how frequent each class is and does not look at the input: the
 * entropy of the teacher's classes, in nats, from 10000 samples. */
double trial_guess_loss(size_t n_in, size_t n_classes);

#endif
