/* Attention in plain double, forward and backward, with the mistakes that are often
 * made as variations; and inputs for it. */
#ifndef TESTS_PLAIN_ATTENTION_H
#define TESTS_PLAIN_ATTENTION_H

#include <math.h>

#include "07-attention/causal_attention.h"
#include "check/check.h"
#include "base/memory.h"

typedef enum {
    RIGHT,
    NO_SCALE,       /* scores q k^T as they are */
    SCALE_BY_DIM,   /* divided by head_dim instead of its root */
    SCALE_BY_WIDTH, /* divided by the root of the length instead of that of head_dim */
    NO_MASK,
    ALWAYS_MASKED,
    MASK_OFF_BY_ONE,    /* t sees t + 1 */
    MASK_WITHOUT_SELF,  /* t sees 0 .. t - 1; position 0 has weights of 0 */
    BLIND_POSITION,     /* the same, with 0/0 as the weights of position 0 */
    MASK_UPSIDE_DOWN,   /* t sees t .. length - 1 */
    MASK_AFTER_SOFTMAX, /* all are in the sum, then the hidden are set to 0 */
    ZERO_SCORES,        /* hidden scores are set to 0 instead of left out */
    SOFTMAX_DOWN, /* down the columns: over the positions that look, not those looked
                   * at */
    QK_SWAPPED,
    OUT_TRANSPOSED,     /* out = weights^T v */
    ONE_MASK,           /* every head drops the same weights */
    DROPOUT_NOT_SCALED, /* no division by 1 - p */
    DROPOUT_LEFT_OUT,   /* forward, or in the backward pass alone */
    BACK_NO_SUM,        /* the backward pass of softmax without sum(dw w) */
    BACK_PART_OF_SUM,   /* that sum as far as it has come, in one loop with what it is
                           taken off */
    BACK_SUM_AGAIN,  /* that sum taken anew for each, of what is half dw and half ds */
    BACK_SUM_OF_DW,  /* that sum without the weights */
    BACK_SHORT_SUM,  /* that sum without its last term that is seen */
    BACK_NO_SCALE,   /* 1 / sqrt(head_dim) left out of dq and dk */
    BACK_LEAK,       /* hidden scores get the gradient of the weights */
    BACK_QK_SWAPPED, /* dq and dk swapped */
    BACK_K_TRANSPOSED,  /* dk = ds q */
    BACK_V_TRANSPOSED,  /* dv = weights dout */
    BACK_V_NOT_DROPPED, /* dv from the weights before dropout */
    BACK_DROPPED_TWICE, /* the softmax's gradient with the weights after dropout */
} Variation;

static inline bool sees(const AttentionShape *shape, size_t t, size_t s,
                        Variation variation) {
    if (variation == ALWAYS_MASKED) return s <= t;
    if (!shape->causal || variation == NO_MASK) return true;
    if (variation == MASK_OFF_BY_ONE) return s <= t + 1;
    if (variation == MASK_WITHOUT_SELF || variation == BLIND_POSITION) return s < t;
    if (variation == MASK_UPSIDE_DOWN) return s >= t;
    return s <= t;
}

/* 1 / (1 - p) or 0: what dropout multiplies weight (h, t, s) by, from the words of
 * dropout.h. */
static inline double kept(const AttentionShape *shape, size_t h, size_t t, size_t s,
                          Variation variation) {
    if (shape->dropout == 0.0f || variation == DROPOUT_LEFT_OUT) return 1;
    size_t length = shape->length, head = variation == ONE_MASK ? 0 : h;
    size_t i = (head * length + t) * length + s;
    float u =
        (float)(random_at(shape->random, shape->random->next + i) >> 8) * 0x1p-24f;
    if (u < shape->dropout) return 0;
    return variation == DROPOUT_NOT_SCALED ? 1 : 1 / (1 - (double)shape->dropout);
}

static inline double score_scale(const AttentionShape *shape, Variation variation) {
    double dim = (double)shape->head_dim;
    if (variation == NO_SCALE) return 1;
    if (variation == SCALE_BY_DIM) return 1 / dim;
    return 1 / sqrt(variation == SCALE_BY_WIDTH ? (double)shape->length : dim);
}

static inline double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Turns scores [length, length] into weights, along the rows or (a mistake) down the
 * columns. */
static inline void plain_softmax(double *x, size_t length, Variation variation) {
    bool down = variation == SOFTMAX_DOWN;
    size_t along = down ? length : 1, across = down ? 1 : length;
    for (size_t line = 0; line < length; line++) {
        double *row = x + line * across, max = -INFINITY, sum = 0;
        for (size_t i = 0; i < length; i++) max = fmax(max, row[i * along]);
        /* nothing is seen: all weights are 0 */
        if (max == -INFINITY && variation != BLIND_POSITION) max = 0;
        for (size_t i = 0; i < length; i++) sum += exp(row[i * along] - max);
        if (sum == 0) sum = 1;
        for (size_t i = 0; i < length; i++)
            row[i * along] = exp(row[i * along] - max) / sum;
    }
}

static inline double *plain_weights(const double *q, const double *k,
                                    const AttentionShape *shape, Variation variation) {
    size_t length = shape->length, dim = shape->head_dim;
    double *weights = checked_alloc(shape->n_heads * length * length, sizeof *weights);
    for (size_t h = 0; h < shape->n_heads; h++) {
        double *w = weights + h * length * length;
        const double *a = (variation == QK_SWAPPED ? k : q) + h * length * dim;
        const double *b = (variation == QK_SWAPPED ? q : k) + h * length * dim;
        for (size_t i = 0; i < length * length; i++) {
            size_t t = i / length, s = i % length;
            bool seen = variation == MASK_AFTER_SOFTMAX || sees(shape, t, s, variation);
            double hidden = variation == ZERO_SCORES ? 0 : -INFINITY;
            w[i] = seen ? score_scale(shape, variation) *
                              dot(a + t * dim, b + s * dim, dim)
                        : hidden;
        }
        plain_softmax(w, length, variation);
        for (size_t i = 0; i < length * length && variation == MASK_AFTER_SOFTMAX;
             i++) {
            if (!sees(shape, i / length, i % length, RIGHT)) w[i] = 0;
        }
    }
    return weights;
}

/* out [n_heads, length, head_dim] = weights v, with dropout. */
static inline double *plain_out(const double *weights, const double *v,
                                const AttentionShape *shape, Variation variation) {
    size_t length = shape->length, dim = shape->head_dim;
    double *out = checked_alloc(shape->n_heads * length * dim, sizeof *out);
    for (size_t h = 0; h < shape->n_heads; h++) {
        for (size_t i = 0; i < length * length; i++) {
            size_t t = i / length, s = i % length;
            double w =
                weights[h * length * length + i] * kept(shape, h, t, s, variation);
            if (variation == OUT_TRANSPOSED) {
                t = i % length;
                s = i / length;
            }
            for (size_t c = 0; c < dim; c++) {
                out[(h * length + t) * dim + c] += w * v[(h * length + s) * dim + c];
            }
        }
    }
    return out;
}

static inline double *dropped_weights(const double *weights,
                                      const AttentionShape *shape) {
    size_t length = shape->length, n = shape->n_heads * length * length;
    double *dropped = checked_alloc(n, sizeof *dropped);
    for (size_t i = 0; i < n; i++) {
        dropped[i] = weights[i] * kept(shape, i / (length * length),
                                       i / length % length, i % length, RIGHT);
    }
    return dropped;
}

/* The inputs of a pass, and where its results go. */
typedef struct {
    AttentionShape shape;
    size_t size, n_weights;
    float *q, *k, *v, *dout;
    double *q64, *k64, *v64, *dout64;
    float *out, *weights, *scratch, *dq, *dk, *dv;
    Random random;
} Inputs;

static inline Inputs *inputs_create(size_t n_heads, size_t length, size_t dim,
                                    bool causal, float dropout) {
    Inputs *in = checked_alloc(1, sizeof *in);
    in->random = (Random){.seed = 5, .stream = 2, .next = 100};
    in->shape = (AttentionShape){.n_heads = n_heads,
                                 .length = length,
                                 .head_dim = dim,
                                 .causal = causal,
                                 .dropout = dropout,
                                 .random = dropout > 0 ? &in->random : NULL};
    in->size = n_heads * length * dim;
    in->n_weights = n_heads * length * length;
    in->q = normal_floats(in->size, 1.5, 1);
    in->k = normal_floats(in->size, 1, 2);
    in->v = normal_floats(in->size, 1, 3);
    in->dout = normal_floats(in->size, 1, 4);
    in->q64 = as_double(in->q, in->size);
    in->k64 = as_double(in->k, in->size);
    in->v64 = as_double(in->v, in->size);
    in->dout64 = as_double(in->dout, in->size);
    in->out = nan_floats(in->size);
    in->weights = nan_floats(in->n_weights);
    in->scratch = nan_floats(in->n_weights);
    in->dq = ones_and_a_half(in->size);
    in->dk = ones_and_a_half(in->size);
    in->dv = ones_and_a_half(in->size);
    return in;
}

static inline double *right_weights(const Inputs *in) {
    return plain_weights(in->q64, in->k64, &in->shape, RIGHT);
}

typedef struct {
    double *dq, *dk, *dv;
} Gradients;

/* The gradients of one head, by the formulas, with the mistakes that are often made. */
static inline void plain_head_backward(Gradients g, const Inputs *in, const double *w,
                                       size_t h, Variation variation) {
    size_t length = in->shape.length, dim = in->shape.head_dim,
           start = h * length * dim;
    double scale = variation == BACK_NO_SCALE ? 1 : score_scale(&in->shape, RIGHT);
    for (size_t t = 0; t < length; t++) {
        double dw[128], seen[128], mean = 0, so_far = 0, plain_sum = 0, last = 0;
        for (size_t s = 0; s < length; s++) {
            double keep = kept(&in->shape, h, t, s, variation);
            double keep_v = variation == BACK_V_NOT_DROPPED ? 1 : keep;
            bool transposed = variation == BACK_V_TRANSPOSED;
            dw[s] = keep *
                    dot(in->dout64 + start + t * dim, in->v64 + start + s * dim, dim);
            if (variation == BACK_DROPPED_TWICE) seen[s] = keep * w[t * length + s];
            mean +=
                dw[s] * (variation == BACK_DROPPED_TWICE ? seen[s] : w[t * length + s]);
            if (sees(&in->shape, t, s, RIGHT)) {
                plain_sum += dw[s];
                last = dw[s] * w[t * length + s];
            }
            for (size_t c = 0; c < dim; c++) {
                g.dv[start + (transposed ? t : s) * dim + c] +=
                    keep_v * w[t * length + s] *
                    in->dout64[start + (transposed ? s : t) * dim + c];
            }
        }
        for (size_t s = 0; s < length; s++) {
            so_far += dw[s] * w[t * length + s];
            double sum = variation == BACK_NO_SUM        ? 0
                         : variation == BACK_PART_OF_SUM ? so_far
                                                         : mean;
            if (variation == BACK_SUM_OF_DW) sum = plain_sum;
            if (variation == BACK_SHORT_SUM) sum = mean - last;
            if (variation == BACK_SUM_AGAIN) sum = dot(dw, w + t * length, length);
            double weight =
                variation == BACK_DROPPED_TWICE ? seen[s] : w[t * length + s];
            double ds = scale * weight * (dw[s] - sum);
            if (variation == BACK_SUM_AGAIN) dw[s] = ds;
            if (variation == BACK_LEAK && in->shape.causal && s > t) ds = dw[s];
            size_t to = variation == BACK_K_TRANSPOSED ? t : s,
                   from = variation == BACK_K_TRANSPOSED ? s : t;
            for (size_t c = 0; c < dim; c++) {
                g.dq[start + t * dim + c] += ds * in->k64[start + s * dim + c];
                g.dk[start + to * dim + c] += ds * in->q64[start + from * dim + c];
            }
        }
    }
}

/* The gradients of the scores, [n_heads, length, length]: dq is ds k, dk is ds^T q. */
static inline double *plain_dscores(const Inputs *in) {
    size_t length = in->shape.length, dim = in->shape.head_dim,
           square = length * length;
    double *w = right_weights(in), *ds = checked_alloc(in->n_weights, sizeof *ds);
    for (size_t row = 0; row < in->shape.n_heads * length; row++) {
        size_t h = row / length, t = row % length, head = h * length * dim;
        double mean = 0;
        for (size_t s = 0; s < length; s++) {
            double dw = dot(in->dout64 + head + t * dim, in->v64 + head + s * dim, dim);
            ds[h * square + t * length + s] = dw * kept(&in->shape, h, t, s, RIGHT);
            mean += ds[h * square + t * length + s] * w[h * square + t * length + s];
        }
        for (size_t i = h * square + t * length; i < h * square + (t + 1) * length;
             i++) {
            ds[i] = score_scale(&in->shape, RIGHT) * w[i] * (ds[i] - mean);
        }
    }
    return ds;
}

static inline Gradients plain_backward(const Inputs *in, Variation variation) {
    double *weights = right_weights(in);
    Gradients g = {checked_alloc(in->size, sizeof(double)),
                   checked_alloc(in->size, sizeof(double)),
                   checked_alloc(in->size, sizeof(double))};
    for (size_t h = 0; h < in->shape.n_heads; h++) {
        plain_head_backward(g, in, weights + h * in->shape.length * in->shape.length, h,
                            variation);
    }
    if (variation == BACK_QK_SWAPPED) return (Gradients){g.dk, g.dq, g.dv};
    return g;
}

#endif
