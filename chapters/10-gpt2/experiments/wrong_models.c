/* A GPT-2 with one mistake in it: see wrong_models.h. */
#include "10-gpt2/experiments/wrong_models.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static void erf_gelu(Gpt2Config *c) {
    c->block.ffn = FFN_GELU_ERF;
}
static void small_eps(Gpt2Config *c) {
    c->block.norm_eps = 1e-12f;
}
static void large_eps(Gpt2Config *c) {
    c->block.norm_eps = 1e-3f;
}
static void more_heads(Gpt2Config *c) {
    c->block.n_head *= 2;
}
static void no_mask(Gpt2Config *c) {
    c->block.causal = false;
}
static void no_last_block(Gpt2Config *c) {
    c->n_layer--;
}

static float *weights_of(Gpt2 *m, const char *name) {
    return params_find(&m->params, name)->data;
}

/* n - 1 in the place of n: every normalized value is smaller by this factor. */
static void unbiased_variance(Gpt2 *m) {
    size_t dim = m->config.block.d_model;
    float factor = sqrtf((float)(dim - 1) / (float)dim);
    for (size_t i = 0; i < m->params.n; i++) {
        const Param *p = &m->params.items[i];
        if (!strstr(p->name, "ln_") || !strstr(p->name, ".weight")) continue;
        for (size_t k = 0; k < dim; k++) p->tensor->data[k] *= factor;
    }
}

/* A loader that skips every name that ends in "attn.bias" also skips c_attn.bias. */
static void no_attn_bias(Gpt2 *m) {
    for (size_t l = 0; l < m->config.n_layer; l++) {
        Tensor *bias = m->blocks[l].attn.c_attn.bias;
        memset(bias->data, 0, tensor_size(bias) * sizeof(float));
    }
}

static void no_final_norm(Gpt2 *m) {
    m->ln_f.kind = NORM_NONE;
}

/* ln_f is there, but its gain and bias were not in the loader's list. */
static void final_norm_not_loaded(Gpt2 *m) {
    size_t dim = m->config.block.d_model;
    float *gain = weights_of(m, "ln_f.weight"), *bias = weights_of(m, "ln_f.bias");
    for (size_t k = 0; k < dim; k++) {
        gain[k] = 1.0f;
        bias[k] = 0.0f;
    }
}

/* nn.Linear's layout: the matrix is square, so nothing notices. */
static void transposed_projection(Gpt2 *m) {
    size_t dim = m->config.block.d_model;
    for (size_t l = 0; l < m->config.n_layer; l++) {
        float *w = m->blocks[l].attn.c_proj.weight->data;
        for (size_t i = 0; i < dim; i++) {
            for (size_t j = 0; j < i; j++) {
                float old = w[i * dim + j];
                w[i * dim + j] = w[j * dim + i];
                w[j * dim + i] = old;
            }
        }
    }
}

/* Scores that are not divided by the root of a head's width: the same as queries that
 * much longer. */
static void unscaled_scores(Gpt2 *m) {
    size_t dim = m->config.block.d_model;
    float factor = sqrtf((float)(dim / m->config.block.n_head));
    for (size_t l = 0; l < m->config.n_layer; l++) {
        const Linear *qkv = &m->blocks[l].attn.c_attn;
        for (size_t i = 0; i < dim; i++) {
            for (size_t j = 0; j < dim; j++)
                qkv->weight->data[i * 3 * dim + j] *= factor;
            qkv->bias->data[i] *= factor;
        }
    }
}

static void position_zero(int *positions, size_t n) {
    memset(positions, 0, n * sizeof *positions);
}
static void one_position_on(int *positions, size_t n) {
    for (size_t i = 0; i < n; i++) positions[i]++;
}

const Mistake mistakes[N_MISTAKES] = {
    {"none", NULL, NULL, NULL},
    {"eps-1e-12", small_eps, NULL, NULL},
    {"erf-gelu", erf_gelu, NULL, NULL},
    {"eps-1e-3", large_eps, NULL, NULL},
    {"variance-over-n-1", NULL, unbiased_variance, NULL},
    {"ln_f-not-loaded", NULL, final_norm_not_loaded, NULL},
    {"unscaled-scores", NULL, unscaled_scores, NULL},
    {"no-c_attn.bias", NULL, no_attn_bias, NULL},
    {"twice-the-heads", more_heads, NULL, NULL},
    {"no-causal-mask", no_mask, NULL, NULL},
    {"all-positions-0", NULL, NULL, position_zero},
    {"positions-from-1", NULL, NULL, one_position_on},
    {"no-last-block", no_last_block, NULL, NULL},
    {"transposed-c_proj", NULL, transposed_projection, NULL},
    {"no-ln_f", NULL, no_final_norm, NULL},
};
Gpt2 *wrong_model(const Gpt2 *right, const Mistake *mistake) {
    Gpt2Config config = right->config;
    if (mistake->config) mistake->config(&config);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        memcpy(p->tensor->data, params_find(&right->params, p->name)->data,
               tensor_size(p->tensor) * sizeof(float));
    }
    if (mistake->weights) mistake->weights(model);
    return model;
}

int *wrong_positions(const Mistake *mistake, size_t batch, size_t length) {
    size_t n = batch * length;
    int *positions = checked_alloc(n, sizeof *positions);
    for (size_t i = 0; i < n; i++) positions[i] = (int)(i % length);
    if (mistake->positions) mistake->positions(positions, n);
    return positions;
}
