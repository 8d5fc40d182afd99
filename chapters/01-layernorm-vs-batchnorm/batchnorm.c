/* Batch normalization: see batchnorm.h. */
#include "01-layernorm-vs-batchnorm/batchnorm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* The sum of (x - center)^2 over one channel. */
static double sum_squares(const float *x, double center, size_t channel,
                          BatchShape shape) {
    double sum = 0;
    for (size_t b = 0; b < shape.batch; b++) {
        const float *line = x + (b * shape.channels + channel) * shape.length;
        for (size_t l = 0; l < shape.length; l++)
            sum += ((double)line[l] - center) * ((double)line[l] - center);
    }
    return sum;
}

void batchnorm_statistics(float *mean, float *rstd, const float *x, BatchShape shape,
                          float eps) {
    double n = (double)(shape.batch * shape.length);
    for (size_t c = 0; c < shape.channels; c++) {
        double sum = 0;
        for (size_t b = 0; b < shape.batch; b++) {
            const float *line = x + (b * shape.channels + c) * shape.length;
            for (size_t l = 0; l < shape.length; l++) sum += (double)line[l];
        }
        mean[c] = (float)(sum / n);
        double variance = sum_squares(x, sum / n, c, shape) / n;
        rstd[c] = (float)(1.0 / sqrt(variance + (double)eps));
    }
}

void batchnorm_normalize(float *out, const float *x, const float *mean,
                         const float *rstd, const float *gain, const float *bias,
                         BatchShape shape) {
    for (size_t b = 0; b < shape.batch; b++) {
        for (size_t c = 0; c < shape.channels; c++) {
            size_t start = (b * shape.channels + c) * shape.length;
            float scale = gain ? rstd[c] * gain[c] : rstd[c],
                  shift = bias ? bias[c] : 0.0f;
            for (size_t l = 0; l < shape.length; l++)
                out[start + l] = (x[start + l] - mean[c]) * scale + shift;
        }
    }
}

/* running = (1 - momentum) * running + momentum * statistic, as PyTorch: the running
 * variance takes the unbiased variance (divided by n - 1; 0 for one number), although
 * the batch is normalized with the biased one. */
static void batchnorm_update_running(float *running_mean, float *running_var,
                                     const float *mean, const float *x,
                                     BatchShape shape, float momentum) {
    size_t n = shape.batch * shape.length;
    for (size_t c = 0; c < shape.channels; c++) {
        double squares = sum_squares(x, (double)mean[c], c, shape);
        float unbiased = n > 1 ? (float)(squares / (double)(n - 1)) : 0.0f;
        running_mean[c] = (1.0f - momentum) * running_mean[c] + momentum * mean[c];
        running_var[c] = (1.0f - momentum) * running_var[c] + momentum * unbiased;
    }
}

/* The values of the forward pass that the backward pass needs. */
typedef struct {
    const float *x, *mean, *rstd, *gain;
    BatchShape shape;
    bool training;
} Forward;

/* Adds the gradients, with xhat = (x - mean) * rstd:
 *
 *     dx += gain * rstd * (dout - mean(dout) - xhat * mean(dout * xhat))
 *     dgain += sum(dout * xhat)          dbias += sum(dout)
 *
 * Without `training` mean and rstd are constants, not functions of x: dx += gain * rstd
 * * dout. Any of dx, dgain, dbias may be NULL. */
static void batchnorm_backward(float *dx, float *dgain, float *dbias, const float *dout,
                               const Forward *f) {
    const float *x = f->x, *mean = f->mean, *rstd = f->rstd, *gain = f->gain;
    size_t batch = f->shape.batch, channels = f->shape.channels,
           length = f->shape.length;
    double n = (double)(batch * length);
    for (size_t c = 0; c < channels; c++) {
        double sum = 0, sum_xhat = 0;
        for (size_t b = 0; b < batch; b++) {
            size_t start = (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) {
                sum += (double)dout[start + l];
                sum_xhat += (double)dout[start + l] *
                            (double)((x[start + l] - mean[c]) * rstd[c]);
            }
        }
        if (dbias) dbias[c] += (float)sum;
        if (dgain) dgain[c] += (float)sum_xhat;
        float scale = gain ? rstd[c] * gain[c] : rstd[c];
        float mean_dout = f->training ? (float)(sum / n) : 0;
        float mean_dout_xhat = f->training ? (float)(sum_xhat / n) : 0;
        if (!dx) continue;
        for (size_t b = 0; b < batch; b++) {
            size_t start = (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) {
                float xhat = (x[start + l] - mean[c]) * rstd[c];
                dx[start + l] +=
                    scale * (dout[start + l] - mean_dout - xhat * mean_dout_xhat);
            }
        }
    }
}

BatchNorm batchnorm_create(Params *params, size_t channels, const char *name) {
    BatchNorm l = {.channels = channels, .eps = 1e-5f, .momentum = 0.1f};
    params_push(params, "%s", name);
    l.gain = params_add(params, 1, &channels, "weight");
    l.bias = params_add(params, 1, &channels, "bias");
    params_pop(params);
    l.running_mean = checked_alloc(channels, sizeof(float));
    l.running_var = checked_alloc(channels, sizeof(float));
    for (size_t c = 0; c < channels; c++) {
        l.running_var[c] = 1.0f;
        if (l.gain->data) l.gain->data[c] = 1.0f;
    }
    return l;
}

void batchnorm_free(BatchNorm *l) {
    free(l->running_mean);
    free(l->running_var);
    *l = (BatchNorm){0};
}

static void backward(const TapeNode *node) {
    Tensor *x = node->inputs[0], *gain = node->inputs[1], *bias = node->inputs[2];
    batchnorm_backward(x->grad, gain->grad, bias->grad, node->out->grad, node->saved);
}

static void expect_shape(const BatchNorm *l, const Tensor *x) {
    char text[TENSOR_SHAPE_TEXT];
    if ((x->ndim != 2 && x->ndim != 3) || x->shape[1] != l->channels) {
        die("batchnorm: x is %s, expected [N, %zu] or [N, %zu, L]",
            tensor_shape_text(x, text), l->channels, l->channels);
    }
    if (tensor_size(x) == 0)
        die("batchnorm: x is %s, which holds no numbers", tensor_shape_text(x, text));
}

Tensor *batchnorm(Tape *t, const BatchNorm *l, Tensor *x) {
    expect_shape(l, x);
    BatchShape shape = {x->shape[0], l->channels, x->ndim == 3 ? x->shape[2] : 1};
    Tensor *out = tape_output(t, "batchnorm", x->ndim, x->shape,
                              TAPE_INPUTS(x, l->gain, l->bias));
    float *mean = tape_alloc(t, l->channels, sizeof *mean),
          *rstd = tape_alloc(t, l->channels, sizeof *rstd);
    if (t->training) {
        batchnorm_statistics(mean, rstd, x->data, shape, l->eps);
        batchnorm_update_running(l->running_mean, l->running_var, mean, x->data, shape,
                                 l->momentum);
    } else {
        /* Copies, as the running ones may move before the gradient is taken. */
        memcpy(mean, l->running_mean, l->channels * sizeof *mean);
        for (size_t c = 0; c < l->channels; c++)
            rstd[c] = 1.0f / sqrtf(l->running_var[c] + l->eps);
    }
    batchnorm_normalize(out->data, x->data, mean, rstd, l->gain->data, l->bias->data,
                        shape);
    Forward forward = {.x = x->data,
                       .mean = mean,
                       .rstd = rstd,
                       .gain = l->gain->data,
                       .shape = shape,
                       .training = t->training};
    tape_record_saved(t, out, backward, &forward, sizeof forward);
    return out;
}

static Tensor *layer_batchnorm(Tape *t, const void *self, Tensor *x) {
    return batchnorm(t, self, x);
}

Layer batchnorm_layer(const BatchNorm *l) {
    return (Layer){layer_batchnorm, l};
}
