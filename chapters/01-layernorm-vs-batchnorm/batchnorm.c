/* Batch normalization: see batchnorm.h. */
#include "01-layernorm-vs-batchnorm/batchnorm.h"

#include <math.h>
#include <stdlib.h>

#include "error.h"

//> batchnorm_forward
void batchnorm_forward(float *out, float *mean, float *rstd, const float *x, const float *gain,
                       const float *bias, size_t batch, size_t channels, size_t length, float eps) {
    double n = (double)(batch * length);
    for (size_t c = 0; c < channels; c++) {
        double sum = 0, sum_squares = 0;
        for (size_t b = 0; b < batch; b++) {
            const float *row = x + (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) sum += (double)row[l];
        }
        double mu = sum / n;
        for (size_t b = 0; b < batch; b++) {
            const float *row = x + (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) sum_squares += ((double)row[l] - mu) * ((double)row[l] - mu);
        }
        mean[c] = (float)mu;
        rstd[c] = (float)(1.0 / sqrt(sum_squares / n + (double)eps));
        float scale = gain ? rstd[c] * gain[c] : rstd[c], shift = bias ? bias[c] : 0.0f;
        for (size_t b = 0; b < batch; b++) {
            size_t start = (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) out[start + l] = (x[start + l] - mean[c]) * scale + shift;
        }
    }
}
//< batchnorm_forward

//> batchnorm_running
void batchnorm_update_running(float *running_mean, float *running_var, const float *mean, const float *x,
                              size_t batch, size_t channels, size_t length, float momentum) {
    size_t n = batch * length;
    for (size_t c = 0; c < channels; c++) {
        double sum_squares = 0;
        for (size_t b = 0; b < batch; b++) {
            const float *row = x + (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) {
                sum_squares += ((double)row[l] - (double)mean[c]) * ((double)row[l] - (double)mean[c]);
            }
        }
        float unbiased = n > 1 ? (float)(sum_squares / (double)(n - 1)) : 0.0f;
        running_mean[c] = (1.0f - momentum) * running_mean[c] + momentum * mean[c];
        running_var[c] = (1.0f - momentum) * running_var[c] + momentum * unbiased;
    }
}
//< batchnorm_running

void batchnorm_forward_eval(float *out, const float *x, const float *running_mean, const float *running_var,
                            const float *gain, const float *bias, size_t batch, size_t channels,
                            size_t length, float eps) {
    for (size_t c = 0; c < channels; c++) {
        float scale = (gain ? gain[c] : 1.0f) / sqrtf(running_var[c] + eps), shift = bias ? bias[c] : 0.0f;
        for (size_t b = 0; b < batch; b++) {
            size_t start = (b * channels + c) * length;
            for (size_t l = 0; l < length; l++)
                out[start + l] = (x[start + l] - running_mean[c]) * scale + shift;
        }
    }
}

//> batchnorm_backward
void batchnorm_backward(float *dx, float *dgain, float *dbias, const float *dout, const float *x,
                        const float *mean, const float *rstd, const float *gain, size_t batch,
                        size_t channels, size_t length) {
    double n = (double)(batch * length);
    for (size_t c = 0; c < channels; c++) {
        double sum = 0, sum_xhat = 0;
        for (size_t b = 0; b < batch; b++) {
            size_t start = (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) {
                sum += (double)dout[start + l];
                sum_xhat += (double)dout[start + l] * (double)((x[start + l] - mean[c]) * rstd[c]);
            }
        }
        if (dbias) dbias[c] += (float)sum;
        if (dgain) dgain[c] += (float)sum_xhat;
        float scale = gain ? rstd[c] * gain[c] : rstd[c];
        float mean_dout = (float)(sum / n), mean_dout_xhat = (float)(sum_xhat / n);
        for (size_t b = 0; dx && b < batch; b++) {
            size_t start = (b * channels + c) * length;
            for (size_t l = 0; l < length; l++) {
                float xhat = (x[start + l] - mean[c]) * rstd[c];
                dx[start + l] += scale * (dout[start + l] - mean_dout - xhat * mean_dout_xhat);
            }
        }
    }
}
//< batchnorm_backward

BatchNorm batchnorm_create(Params *params, size_t channels, const char *name) {
    BatchNorm l = {.channels = channels, .eps = 1e-5f, .momentum = 0.1f};
    l.gain = params_add(params, 1, &channels, "%s.weight", name);
    l.bias = params_add(params, 1, &channels, "%s.bias", name);
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

typedef struct {
    Tensor *out, *x, *gain, *bias;
    const float *mean, *rstd;
    size_t batch, channels, length;
} Saved;

static void backward(void *saved) {
    Saved *s = saved;
    batchnorm_backward(s->x->grad, s->gain->grad, s->bias->grad, s->out->grad, s->x->data, s->mean, s->rstd,
                       s->gain->data, s->batch, s->channels, s->length);
}

Tensor *batchnorm(Tape *t, const BatchNorm *l, Tensor *x) {
    char text[TENSOR_SHAPE_TEXT];
    if ((x->ndim != 2 && x->ndim != 3) || x->shape[1] != l->channels) {
        die("batchnorm: x is %s, expected [N, %zu] or [N, %zu, L]", tensor_shape_text(x, text), l->channels,
            l->channels);
    }
    size_t batch = x->shape[0], channels = l->channels, length = x->ndim == 3 ? x->shape[2] : 1;
    Tensor *out = tape_output(t, x->ndim, x->shape, t->training && TAPE_WANTS_GRAD(t, x, l->gain, l->bias));
    if (!t->training) {
        batchnorm_forward_eval(out->data, x->data, l->running_mean, l->running_var, l->gain->data,
                               l->bias->data, batch, channels, length, l->eps);
        return out;
    }
    float *mean = tape_alloc(t, channels, sizeof *mean), *rstd = tape_alloc(t, channels, sizeof *rstd);
    batchnorm_forward(out->data, mean, rstd, x->data, l->gain->data, l->bias->data, batch, channels, length,
                      l->eps);
    batchnorm_update_running(l->running_mean, l->running_var, mean, x->data, batch, channels, length,
                             l->momentum);
    if (out->grad) {
        tape_record(t, backward, &(Saved){out, x, l->gain, l->bias, mean, rstd, batch, channels, length},
                    sizeof(Saved));
    }
    return out;
}

static Tensor *layer_batchnorm(Tape *t, const void *self, Tensor *x) {
    return batchnorm(t, self, x);
}

Layer batchnorm_layer(const BatchNorm *l) {
    return (Layer){layer_batchnorm, l};
}
