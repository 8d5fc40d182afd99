/* Open problem 01/two_samples (**): a norm by channel that learns from batches of
 * two */
#ifndef CHAPTER_01_TWO_SAMPLES_H
#define CHAPTER_01_TWO_SAMPLES_H

#include "01-layernorm-vs-batchnorm/batchnorm.h"

/* Takes the place of batchnorm(t, l, x) for x [N, C]. In evaluation mode it is as
 * BatchNorm: each channel alone, times one number plus another, such that over the
 * training points a channel has mean 0 and variance 1 before gain and bias. Its
 * training mode is yours to choose; t->training tells. */
Tensor *two_samples(Tape *t, const BatchNorm *l, Tensor *x);

#endif
