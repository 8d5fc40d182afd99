/* GPT-2 in plain double, with the mistakes that are often made as variations. */
#ifndef TESTS_17_PLAIN_H
#define TESTS_17_PLAIN_H

#include <math.h>

#include "tiny.h"

typedef enum {
    RIGHT,
    /* embeddings, norm, head */
    NO_POSITIONS,
    POSITION_0, /* for every token */
    POSITION_FROM_1,
    NO_LN_F,
    NO_GAIN,
    NO_BIAS,
    NO_MEAN,     /* RMSNorm */
    UNBIASED,    /* n - 1 */
    EPS_OUTSIDE, /* of the root */
    EPS_DEFAULT, /* 1e-5, not the config's */
    EPS_MISSING,
    NOT_ROOTED, /* divided by the variance */
    HEAD_OF_WPE,
    /* a block */
    NO_LN_1,
    NO_LN_2,
    LN_SWAPPED,
    POST_LN, /* x = ln(x + branch) */
    NO_ATTENTION_RESIDUAL,
    NO_MLP_RESIDUAL,
    NO_ATTENTION,
    NO_MLP,
    PARALLEL, /* the MLP reads what attention reads */
    GELU_ERF,
    GELU_SIGMOID,
    GELU_NO_CUBE,
    GELU_NO_HALF,
    GELU_CONSTANT, /* sqrt(2 pi) */
    RELU,
    NO_GELU,
    NO_ATTN_BIAS,
    NO_PROJ_BIAS,
    NO_FC_BIAS,
    NO_OUT_BIAS,
    NO_BIASES,
    NO_PROJ,
    ATTN_TRANSPOSED,
    PROJ_TRANSPOSED,
    FC_TRANSPOSED,
    OUT_TRANSPOSED,
    ALL_TRANSPOSED,
    ORDER_KQV,
    ORDER_QVK,
    ORDER_VKQ,
    ORDER_BY_HEAD, /* q, k, v of head 0, then of head 1 */
    /* attention */
    NO_SCALE,
    SCALE_BY_D,
    SCALE_BY_WIDTH,
    WHOLE_CACHE, /* the softmax is over all P rows, which are 0 */
    NOT_ITSELF,  /* but for the first */
    ITSELF_ONLY,
    ONE_HEAD,
    HEADS_INTERLEAVED,
    NOT_NORMALIZED,
    VALUES_OF_KEYS,
    FIRST_TWO_ONLY,
    /* layers */
    ONE_CACHE,
    FIRST_LAYER_ONLY,
    LAST_LAYER_MISSING,
    ALL_LAYERS_THE_FIRST,
    LAST_VARIATION = ALL_LAYERS_THE_FIRST
} Variation;

static void plain_norm(double *y, const double *x, const float *w, const float *b,
                       const Tiny *m, Variation v) {
    double mean = 0, variance = 0, eps = m->eps, n = (double)m->D;
    for (size_t i = 0; i < m->D; i++) mean += x[i] / n;
    if (v == NO_MEAN) mean = 0;
    for (size_t i = 0; i < m->D; i++)
        variance += (x[i] - mean) * (x[i] - mean) / (v == UNBIASED ? n - 1 : n);
    if (v == EPS_DEFAULT) eps = 1e-5;
    if (v == EPS_MISSING) eps = 0;
    double deviation = v == EPS_OUTSIDE  ? sqrt(variance) + eps
                       : v == NOT_ROOTED ? variance + eps
                                         : sqrt(variance + eps);
    for (size_t i = 0; i < m->D; i++)
        y[i] = (x[i] - mean) / deviation * (v == NO_GAIN ? 1 : (double)w[i]) +
               (v == NO_BIAS ? 0 : (double)b[i]);
}

static void plain_linear(double *y, const double *x, const float *w, const float *b,
                         size_t n_in, size_t n_out, bool transposed) {
    for (size_t o = 0; o < n_out; o++) {
        y[o] = b ? (double)b[o] : 0;
        for (size_t i = 0; i < n_in; i++)
            y[o] += x[i] * (double)w[transposed ? o * n_in + i : i * n_out + o];
    }
}

static double plain_gelu(double x, Variation v) {
    const double root = v == GELU_CONSTANT ? sqrt(2 * acos(-1)) : sqrt(2 / acos(-1));
    if (v == GELU_ERF) return 0.5 * x * (1 + erf(x / sqrt(2)));
    if (v == GELU_SIGMOID) return x / (1 + exp(-1.702 * x));
    if (v == RELU) return fmax(x, 0);
    if (v == NO_GELU) return x;
    double cube = v == GELU_NO_CUBE ? 0 : 0.044715 * x * x * x;
    return (v == GELU_NO_HALF ? 1 : 0.5) * x * (1 + tanh(root * (x + cube)));
}

/* The cache of a pass: rows of keys and values, [L, P, D] each. */
typedef struct {
    double *keys, *values;
} PlainCache;

/* Element i of head `head`, where a row holds it. */
static size_t plain_element(const Tiny *m, size_t head, size_t i, Variation v) {
    return v == HEADS_INTERLEAVED ? i * m->H + head : head * (m->D / m->H) + i;
}

/* Where element e of query (0), key (1) or value (2) stands in qkv. */
static size_t plain_place(const Tiny *m, size_t part, size_t e, Variation v) {
    static const size_t kqv[] = {1, 0, 2}, qvk[] = {0, 2, 1}, vkq[] = {2, 1, 0};
    size_t d = m->D / m->H;
    if (v == ORDER_BY_HEAD) return (e / d * 3 + part) * d + e % d;
    part = v == ORDER_KQV   ? kqv[part]
           : v == ORDER_QVK ? qvk[part]
           : v == ORDER_VKQ ? vkq[part]
                            : part;
    return part * m->D + e;
}

static void plain_head(double *out, const double *q, const double *keys,
                       const double *values, const Tiny *m, size_t t, size_t head,
                       Variation v) {
    size_t H = v == ONE_HEAD ? 1 : m->H, d = m->D / H;
    size_t end = v == WHOLE_CACHE ? m->P : t + 1;
    double weights[256] = {0}, sum = 0;
    double scale = v == NO_SCALE         ? 1
                   : v == SCALE_BY_D     ? (double)d
                   : v == SCALE_BY_WIDTH ? sqrt((double)m->D)
                                         : sqrt((double)d);
    for (size_t s = 0; s < end; s++) {
        if (v == NOT_ITSELF && s == t && t > 0) continue;
        if (v == ITSELF_ONLY && s != t) continue;
        if (v == FIRST_TWO_ONLY && s > 1) continue;
        double score = 0;
        for (size_t i = 0; i < d; i++) {
            size_t e = v == ONE_HEAD ? i : plain_element(m, head, i, v);
            score += q[e] * keys[s * m->D + e];
        }
        sum += weights[s] = exp(score / scale);
    }
    for (size_t i = 0; i < d; i++) {
        size_t e = v == ONE_HEAD ? i : plain_element(m, head, i, v);
        out[e] = 0;
        for (size_t s = 0; s < end; s++)
            out[e] += weights[s] / (v == NOT_NORMALIZED ? 1 : sum) *
                      (v == VALUES_OF_KEYS ? keys : values)[s * m->D + e];
    }
}

static bool lacks(Variation v, Variation bias) {
    return v == bias || v == NO_BIASES;
}

static void plain_attention(double *out, const double *h, const TinyLayer *w,
                            const Tiny *m, PlainCache cache, size_t t, Variation v) {
    double qkv[3 * 64], q[64], mixed[64];
    size_t D = m->D;
    plain_linear(qkv, h, w->attn_w, lacks(v, NO_ATTN_BIAS) ? NULL : w->attn_b, D, 3 * D,
                 v == ATTN_TRANSPOSED || v == ALL_TRANSPOSED);
    for (size_t e = 0; e < D; e++) {
        q[e] = qkv[plain_place(m, 0, e, v)];
        cache.keys[t * D + e] = qkv[plain_place(m, 1, e, v)];
        cache.values[t * D + e] = qkv[plain_place(m, 2, e, v)];
    }
    for (size_t head = 0; head < (v == ONE_HEAD ? 1 : m->H); head++)
        plain_head(mixed, q, cache.keys, cache.values, m, t, head, v);
    if (v == NO_PROJ)
        memcpy(out, mixed, D * sizeof *out);
    else
        plain_linear(out, mixed, w->proj_w, lacks(v, NO_PROJ_BIAS) ? NULL : w->proj_b,
                     D, D, v == PROJ_TRANSPOSED || v == ALL_TRANSPOSED);
}

static void plain_mlp(double *out, const double *h, const TinyLayer *w, const Tiny *m,
                      Variation v) {
    double hidden[256];
    plain_linear(hidden, h, w->fc_w, lacks(v, NO_FC_BIAS) ? NULL : w->fc_b, m->D, m->F,
                 v == FC_TRANSPOSED || v == ALL_TRANSPOSED);
    for (size_t i = 0; i < m->F; i++) hidden[i] = plain_gelu(hidden[i], v);
    plain_linear(out, hidden, w->out_w, lacks(v, NO_OUT_BIAS) ? NULL : w->out_b, m->F,
                 m->D, v == OUT_TRANSPOSED || v == ALL_TRANSPOSED);
}

/* x = x + branch, but for the variations. */
static void plain_join(double *x, const double *branch, const Tiny *m, bool residual,
                       bool there) {
    for (size_t i = 0; i < m->D; i++)
        x[i] = (residual ? x[i] : 0) + (there ? branch[i] : 0);
}

static void plain_block(double *x, const TinyLayer *w, const Tiny *m, PlainCache cache,
                        size_t t, Variation v) {
    double h[64], branch[64], first[64];
    bool swapped = v == LN_SWAPPED;
    plain_norm(h, x, swapped ? w->ln_2_w : w->ln_1_w, swapped ? w->ln_2_b : w->ln_1_b,
               m, v);
    memcpy(first, h, sizeof first);
    plain_attention(branch, v == NO_LN_1 || v == POST_LN ? x : h, w, m, cache, t, v);
    double before[64];
    memcpy(before, x, sizeof before);
    plain_join(x, branch, m, v != NO_ATTENTION_RESIDUAL, v != NO_ATTENTION);
    if (v == POST_LN) plain_norm(x, memcpy(h, x, sizeof h), w->ln_1_w, w->ln_1_b, m, v);
    plain_norm(h, v == PARALLEL ? before : x, swapped ? w->ln_1_w : w->ln_2_w,
               swapped ? w->ln_1_b : w->ln_2_b, m, v);
    plain_mlp(branch, v == NO_LN_2 || v == POST_LN ? x : h, w, m, v);
    plain_join(x, branch, m, v != NO_MLP_RESIDUAL, v != NO_MLP);
    if (v == POST_LN) plain_norm(x, memcpy(h, x, sizeof h), w->ln_2_w, w->ln_2_b, m, v);
}

/* Logits [n, V] of ids [n]. */
static double *plain_logits(const Tiny *m, const int *ids, size_t n, Variation v) {
    size_t D = m->D, rows = m->L * m->P * D;
    double *keys = checked_alloc(rows, sizeof *keys);
    double *values = checked_alloc(rows, sizeof *values);
    double *logits = checked_alloc(n * m->V, sizeof *logits);
    for (size_t t = 0; t < n; t++) {
        double x[64] = {0}, h[64];
        size_t position = v == POSITION_0 ? 0 : v == POSITION_FROM_1 ? t + 1 : t;
        for (size_t i = 0; i < D; i++)
            x[i] = (double)m->wte[(size_t)ids[t] * D + i] +
                   (v == NO_POSITIONS ? 0 : (double)m->wpe[position % m->P * D + i]);
        for (size_t l = 0; l < m->L; l++) {
            if (v == FIRST_LAYER_ONLY && l > 0) break;
            if (v == LAST_LAYER_MISSING && l + 1 == m->L) break;
            size_t row = (v == ONE_CACHE ? 0 : l) * m->P * D;
            plain_block(x, &m->layers[v == ALL_LAYERS_THE_FIRST ? 0 : l], m,
                        (PlainCache){keys + row, values + row}, t, v);
        }
        plain_norm(h, x, m->ln_f_w, m->ln_f_b, m, v);
        if (v == NO_LN_F) memcpy(h, x, sizeof h);
        const float *head = v == HEAD_OF_WPE ? m->wpe : m->wte;
        size_t most = v == HEAD_OF_WPE ? m->P : m->V;
        for (size_t i = 0; i < m->V; i++) {
            double sum = 0;
            for (size_t e = 0; e < D; e++) sum += h[e] * (double)head[i % most * D + e];
            logits[t * m->V + i] = sum;
        }
    }
    return logits;
}

#endif
