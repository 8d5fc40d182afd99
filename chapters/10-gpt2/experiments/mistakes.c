/* A GPT-2 with one mistake in it, measured against what PyTorch computed with the right one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "10-gpt2/checkpoint.h"
#include "10-gpt2/experiments/experiments.h"
#include "claim.h"
#include "csv.h"
#include "error.h"
#include "fit.h"
#include "memory.h"

static const char directory[] = "tests/golden/tiny_gpt2",
                  golden_path[] = "tests/golden/tiny_gpt2/golden_f64.safetensors";

/* --- the mistakes: in the config, in the loaded weights, or in what the model reads --- */

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
    for (size_t k = 0; k < dim; k++) gain[k] = 1.0f, bias[k] = 0.0f;
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

/* Scores that are not divided by the root of a head's width: the same as queries that much longer. */
static void unscaled_scores(Gpt2 *m) {
    size_t dim = m->config.block.d_model;
    float factor = sqrtf((float)(dim / m->config.block.n_head));
    for (size_t l = 0; l < m->config.n_layer; l++) {
        const Linear *qkv = &m->blocks[l].attn.c_attn;
        for (size_t i = 0; i < dim; i++) {
            for (size_t j = 0; j < dim; j++) qkv->weight->data[i * 3 * dim + j] *= factor;
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

typedef struct {
    const char *name;
    void (*config)(Gpt2Config *config);
    void (*weights)(Gpt2 *model);
    void (*positions)(int *positions, size_t n);
} Variant;

static const Variant variants[] = {
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
enum { N_VARIANTS = sizeof variants / sizeof *variants };

/* --- measuring --- */

typedef struct {
    size_t batch, length;
    int *inputs, *targets;
    double *logits, loss;
} Reference;

static const SafeTensor *needed(const SafeTensors *file, const char *name) {
    const SafeTensor *x = safetensors_find(file, name);
    if (!x) die("file '%s': tensor '%s' is missing", file->path, name);
    return x;
}

/* Tokens [B, T + 1] split into inputs and targets, and what PyTorch made of them. */
static Reference read_reference(void) {
    SafeTensors file = safetensors_open(golden_path);
    const SafeTensor *tokens = needed(&file, "tokens"), *logits = needed(&file, "logits");
    Reference r = {.batch = tokens->shape[0], .length = tokens->shape[1] - 1};
    size_t n = r.batch * r.length;
    int *all = checked_alloc(tokens->size, sizeof *all);
    r.inputs = checked_alloc(n, sizeof *r.inputs);
    r.targets = checked_alloc(n, sizeof *r.targets);
    r.logits = checked_alloc(logits->size, sizeof *r.logits);
    safetensors_to_int(all, tokens);
    safetensors_to_double(r.logits, logits);
    safetensors_to_double(&r.loss, needed(&file, "loss"));
    for (size_t i = 0; i < n; i++) {
        r.inputs[i] = all[i / r.length * (r.length + 1) + i % r.length];
        r.targets[i] = all[i / r.length * (r.length + 1) + i % r.length + 1];
    }
    free(all);
    safetensors_close(&file);
    return r;
}

/* The model with the variant's mistake: made from the changed config,
 * with the right weights as far as they fit. */
static Gpt2 *make_variant(const Gpt2 *right, const Variant *v) {
    Gpt2Config config = right->config;
    if (v->config) v->config(&config);
    Gpt2 *model = gpt2_create(&config, PARAMS_INFER, NULL);
    for (size_t i = 0; i < model->params.n; i++) {
        const Param *p = &model->params.items[i];
        memcpy(p->tensor->data, params_find(&right->params, p->name)->data,
               tensor_size(p->tensor) * sizeof(float));
    }
    if (v->weights) v->weights(model);
    return model;
}

/* The largest difference of a logit, and the loss. */
static double logit_error(const Gpt2 *model, const Variant *v, const Reference *r, double *loss) {
    size_t n = r->batch * r->length;
    int *positions = checked_alloc(n, sizeof *positions);
    for (size_t i = 0; i < n; i++) positions[i] = (int)(i % r->length);
    if (v->positions) v->positions(positions, n);
    Tape t = tape_for_inference();
    Gpt2Input input = {.tokens = r->inputs, .batch = r->batch, .length = r->length, .positions = positions};
    const Tensor *logits = gpt2_logits(&t, model, &input);
    double worst = 0;
    for (size_t i = 0; i < tensor_size(logits); i++)
        worst = larger(worst, fabs((double)logits->data[i] - r->logits[i]));
    *loss = (double)gpt2_loss(&t, model, &input, r->targets)->data[0];
    tape_free(&t);
    free(positions);
    return worst;
}

void experiment_mistakes(const Settings *settings) {
    const double tolerance = 1e-4;
    Reference r = read_reference();
    Gpt2 *right = gpt2_load(directory, PARAMS_INFER);
    double errors[N_VARIANTS], smallest = INFINITY;
    int n_lower = 0;
    Csv csv = csv_begin(settings->out, "10-mistakes", "mistake,logit_error,loss,loss_change");
    printf("%-24s %13s %9s %9s\n", "mistake", "logits off by", "loss", "change");
    for (size_t i = 0; i < N_VARIANTS; i++) {
        double loss;
        Gpt2 *model = make_variant(right, &variants[i]);
        errors[i] = logit_error(model, &variants[i], &r, &loss);
        printf("%-24s %13.1e %9.4f %+9.4f\n", variants[i].name, errors[i], loss, loss - r.loss);
        csv_row(&csv, "%s,%.3g,%.6g,%.3g", variants[i].name, errors[i], loss, loss - r.loss);
        if (i) {
            smallest = smaller(smallest, errors[i]);
            n_lower += loss < r.loss;
        }
        gpt2_free(model);
    }
    csv_commit(&csv);
    printf("%d of the %d mistakes make the loss smaller\n", n_lower, N_VARIANTS - 1);
    claim(errors[0] < tolerance, "without a mistake no logit is off by more than %.1e", errors[0]);
    claim(smallest > tolerance, "the smallest mistake moves a logit by %.1e: a tolerance of 1e-4 sees all %d",
          smallest, N_VARIANTS - 1);
    gpt2_free(right);
    free(r.inputs);
    free(r.targets);
    free(r.logits);
}
