/* The same network trained with each norm:
 * one run, of which only the norm and the mean of the inputs are chosen. */
#ifndef CHAPTER_03_NORM_TRAINING_H
#define CHAPTER_03_NORM_TRAINING_H

#include "03-rmsnorm/norm.h"

/* The norm of a network. */
typedef struct {
    NormKind kind;
    size_t part; /* 0: `kind`; else pRMSNorm that measures `part` elements of a row */
} NormChoice;

typedef struct {
    NormChoice norm;
    double offset; /* added to every input number, whose own deviation is 1 */
    bool blind;    /* the classes do not depend on the mean of an input, which LayerNorm
                      cannot see */
    size_t steps;
    /* of the weights and the batches; they are the same for every norm */
    uint64_t seed;
} NormTraining;

enum { TRAINING_WIDTH = 64, TRAINING_CLASSES = 8 };

typedef struct {
    double loss; /* on samples that it was not trained on, at the end */
    /* |mean| / standard deviation of the rows that reach a norm, root mean square over
     * rows and norms: before the first step, and after the last */
    double first_mean, last_mean;
} NormTrainingResult;

/* Trains a pre-LN stack on chapter 02's task: name the class that a fixed random
 * network gives to a vector of TRAINING_WIDTH numbers. */
NormTrainingResult norm_train(const NormTraining *config);

#endif
