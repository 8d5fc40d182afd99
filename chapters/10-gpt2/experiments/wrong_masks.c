/* A mask added to the scores, and what goes wrong with it: see wrong_masks.h. */
#include "10-gpt2/experiments/wrong_masks.h"

#include <math.h>

#include "06-embeddings/word_positions.h"
#include "kernels/reduce.h"
#include "math/fmath.h"
#include "math/half.h"

const char *mask_name(MaskKind kind) {
    static const char *const names[N_MASKS] = {
        "minus-infinity", "-1e9",           "-1e9-in-half",  "0-by-0",
        "no-mask",        "queries-hidden", "after-softmax", "positions-count-padding"};
    return names[kind];
}

/* What is added to a score that padding shall not get. */
static float hidden_score(MaskKind kind) {
    switch (kind) {
    case MASK_FLOAT:
        return -1e9f;
    case MASK_HALF:
        return half_to_float(float_to_half(-1e9f));
    case MASK_NONE:
    case MASK_AFTER_SOFTMAX:
        return 0;
    default:
        return -INFINITY;
    }
}

typedef struct {
    const Attention *attn;
    const int *mask;
    MaskKind kind;
} Masked;

/* scores [n] become weights. Where all are minus infinity, no key is seen. */
static void softmax_of_row(float *scores, size_t n, MaskKind kind) {
    float largest = -INFINITY, sum = 0;
    for (size_t s = 0; s < n; s++) largest = scores[s] > largest ? scores[s] : largest;
    bool guarded = kind != MASK_HALF && kind != MASK_ZERO_BY_ZERO;
    if (largest == -INFINITY && guarded) largest = 0;
    for (size_t s = 0; s < n; s++) {
        scores[s] = exp_float(scores[s] - largest);
        sum += scores[s];
    }
    if (sum == 0) return;
    for (size_t s = 0; s < n; s++) scores[s] /= sum;
}

/* out [dim]: what query t of a row takes from the keys before it. q, k and v are rows
 * `stride` apart. */
static void attend(float *out, const float *q, const float *k, const float *v,
                   size_t stride, size_t dim, size_t t, const int *mask, MaskKind kind,
                   float *scores) {
    float hidden = hidden_score(kind), scale = 1.0f / sqrtf((float)dim);
    for (size_t s = 0; s <= t; s++) {
        int seen = mask[kind == MASK_QUERIES ? t : s];
        scores[s] = scale * row_dot(q, k + s * stride, dim) + (seen ? 0 : hidden);
    }
    softmax_of_row(scores, t + 1, kind);
    for (size_t c = 0; c < dim; c++) out[c] = 0;
    for (size_t s = 0; s <= t; s++) {
        bool taken = kind != MASK_AFTER_SOFTMAX || mask[s];
        for (size_t c = 0; c < dim && taken; c++)
            out[c] += scores[s] * v[s * stride + c];
    }
}

static Tensor *masked_forward(Tape *t, const void *self, Tensor *x) {
    const Masked *m = self;
    const AttentionConfig *config = &m->attn->config;
    size_t length = x->shape[1], d_model = config->d_model, n_head = config->n_head,
           dim = d_model / n_head, stride = 3 * d_model;
    const float *qkv = attention_qkv(t, m->attn, x, NULL)->data;
    Tensor *mixed = tape_tensor(t, 3, x->shape, false);
    float *scores = tape_alloc(t, length, sizeof *scores);
    for (size_t i = 0; i < tensor_rows(x) * n_head; i++) {
        size_t row = i / n_head, first = row / length * length, h = i % n_head;
        const float *q = qkv + row * stride + h * dim,
                    *k = qkv + first * stride + d_model + h * dim;
        attend(mixed->data + row * d_model + h * dim, q, k, k + d_model, stride, dim,
               row - first, m->mask + first, m->kind, scores);
    }
    return linear(t, &m->attn->c_proj, mixed);
}

Tensor *wrong_mask_hidden(Tape *t, const Gpt2 *model, const Gpt2Input *input,
                          MaskKind kind) {
    size_t n_layer = model->config.n_layer;
    Masked *masked = tape_alloc(t, n_layer, sizeof *masked);
    Layer *layers = tape_alloc(t, n_layer, sizeof *layers);
    for (size_t l = 0; l < n_layer; l++) {
        masked[l] = (Masked){&model->blocks[l].attn, input->mask, kind};
        layers[l] = (Layer){masked_forward, &masked[l]};
    }
    Gpt2Input wrong = *input;
    wrong.attention = layers;
    if (kind == MASK_POSITIONS) {
        int *ids = tape_alloc(t, input->batch * input->length, sizeof *ids);
        word_positions(ids, NULL, NULL, input->batch, input->length, 0);
        wrong.positions = ids;
    }
    return gpt2_hidden(t, model, &wrong);
}
