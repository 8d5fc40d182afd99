/* Batch normalization (Ioffe & Szegedy 2015): every channel by the mean and variance of the batch. */
#ifndef CHAPTER_01_BATCHNORM_H
#define CHAPTER_01_BATCHNORM_H

#include "layer.h"
#include "params.h"

/* x and out are [batch, channels, length] (length 1 for [batch, channels]); statistics are [channels], over
 * batch and length. Writes the statistics it normalizes with: mean, and rstd = 1 / sqrt(variance / n + eps)
 * with n = batch * length. */
void batchnorm_forward(float *out, float *mean, float *rstd, const float *x, const float *gain,
                       const float *bias, size_t batch, size_t channels, size_t length, float eps);

/* running = (1 - momentum) * running + momentum * statistic, as PyTorch: the running variance takes the
 * unbiased variance (divided by n - 1), although the normalization itself uses the biased one (divided by n).
 */
void batchnorm_update_running(float *running_mean, float *running_var, const float *mean, const float *x,
                              size_t batch, size_t channels, size_t length, float momentum);

/* Evaluation: the running statistics in place of the batch's. */
void batchnorm_forward_eval(float *out, const float *x, const float *running_mean, const float *running_var,
                            const float *gain, const float *bias, size_t batch, size_t channels,
                            size_t length, float eps);

/* Gradients of batchnorm_forward; the formula is LayerNorm's with means over the batch. Any may be NULL. */
void batchnorm_backward(float *dx, float *dgain, float *dbias, const float *dout, const float *x,
                        const float *mean, const float *rstd, const float *gain, size_t batch,
                        size_t channels, size_t length);

typedef struct {
    Tensor *gain, *bias;               /* [channels] */
    float *running_mean, *running_var; /* [channels], start at 0 and 1; owned by the struct */
    size_t channels;
    float eps, momentum;
} BatchNorm;

/* Registers NAME.weight and NAME.bias. eps 1e-5, momentum 0.1, as PyTorch. */
BatchNorm batchnorm_create(Params *params, size_t channels, const char *name);

/* x [N, C] or [N, C, L]. In training mode (tape) the batch's statistics, and the running ones are updated;
 * else the running statistics. A batch of one value per channel has variance 0: its output is the bias alone.
 */
Tensor *batchnorm(Tape *t, const BatchNorm *l, Tensor *x);

Layer batchnorm_layer(const BatchNorm *l);

void batchnorm_free(BatchNorm *l);

#endif
