/* Batch normalization (Ioffe & Szegedy 2015): every channel by the mean and variance of
 * the batch. */
#ifndef CHAPTER_01_BATCHNORM_H
#define CHAPTER_01_BATCHNORM_H

#include "tensor/layer.h"
#include "weights/params.h"

/* The shape of x and out: [batch, channels, length], where length is 1 for [batch,
 * channels]. All statistics are [channels], over batch and length together: n = batch *
 * length numbers each. */
typedef struct {
    size_t batch, channels, length;
} BatchShape;

/* The batch's statistics: the mean, and rstd = 1 / sqrt(variance + eps) with the
 * variance divided by n. */
void batchnorm_statistics(float *mean, float *rstd, const float *x, BatchShape shape,
                          float eps);

/* out = (x - mean) * rstd * gain + bias; gain and bias [channels] may be NULL: 1 and
 * 0. */
void batchnorm_normalize(float *out, const float *x, const float *mean,
                         const float *rstd, const float *gain, const float *bias,
                         BatchShape shape);

typedef struct {
    Tensor *gain, *bias; /* [channels] */
    /* [channels], start at 0 and 1; owned by the struct */
    float *running_mean, *running_var;
    size_t channels;
    float eps, momentum;
} BatchNorm;

/* Registers NAME.weight and NAME.bias. eps 1e-5, momentum 0.1, as PyTorch. */
BatchNorm batchnorm_create(Params *params, size_t channels, const char *name);

/* x [N, C] or [N, C, L]. In training mode (tape) the batch's statistics, and the
 * running ones are updated; else the running statistics. A batch of one number per
 * channel has variance 0: its output is the bias alone (PyTorch refuses such a
 * batch). */
Tensor *batchnorm(Tape *t, const BatchNorm *l, Tensor *x);

Layer batchnorm_layer(const BatchNorm *l);

void batchnorm_free(BatchNorm *l);

#endif
