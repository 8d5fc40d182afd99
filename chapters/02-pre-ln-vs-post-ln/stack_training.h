/* A short training run of a stack: the same task and the same optimizer, so that only
 * the config differs. */
#ifndef CHAPTER_02_STACK_TRAINING_H
#define CHAPTER_02_STACK_TRAINING_H

#include "02-pre-ln-vs-post-ln/stack.h"

/* Random streams of a training's seed: the weights, and the batches. */
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

/* The teacher of all trainings; teacher_free releases it. */
Teacher teacher_create(size_t n_in, size_t n_classes);

/* Changes a new stack before its first step: joins, weights, more parameters. */
typedef void StackTrainingPrepare(void *context, Params *params, Stack *s);

typedef struct {
    StackConfig stack; /* n_out is the number of classes */
    size_t steps, batch;
    float peak; /* learning rate of AdamW, without decay */
    size_t warmup_steps;
    size_t unused_batches; /* drawn before the first step, and not trained on */
    uint64_t seed; /* of the weights and the batches; the teacher is the same for all
                      seeds */
    StackTrainingPrepare
        *prepare; /* gets the context of on_step; NULL: nothing is changed */
} StackTraining;

/* Called at each step, counted from 1, when the gradients are there and the weights not
 * yet changed. */
typedef void StackTrainingStep(void *context, const Stack *s, size_t step, float loss);

enum { TRAINING_TAIL = 20 };

/* Trains and returns the mean loss of the last TRAINING_TAIL steps (of all, if there
 * are fewer). `on_step` may be NULL. Every batch is new, so there is nothing to
 * overfit. */
double stack_train(const StackTraining *config, StackTrainingStep *on_step,
                   void *context);

/* The loss of a guess from the classes' frequencies, without the input: the entropy of
 * the teacher's classes, in nats, from 10000 samples. */
double teacher_guess_loss(size_t n_in, size_t n_classes);

#endif
