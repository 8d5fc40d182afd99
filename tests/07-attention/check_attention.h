/* Expected values of the learner's stages for the tests of exercise
 * 07/causal_attention, by the formulas of plain_attention.h, and the mistakes that they
 * name. */
#ifndef TESTS_CHECK_ATTENTION_H
#define TESTS_CHECK_ATTENTION_H

#include <math.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/golden.h"
#include "plain_attention.h"

/* See known.h. Of stage 1, which makes no weights, the inputs alone. */
static inline void know_inputs(const Inputs *in) {
    AXES({"head", "n_heads", in->shape.n_heads}, {"query", "length", in->shape.length},
         {"key", "length", in->shape.length},
         {"element", "head_dim", in->shape.head_dim});
    KNOW_AS("q", in->q, "head query element");
    KNOW_AS("k", in->k, "head key element");
    KNOW_AS("v", in->v, "head key element");
    know_shape("scores", "head query key");
    know_shape("out", "head query element");
    know_shape("dq", "head query element");
    know_shape("dk", "head key element");
    know_shape("dv", "head key element");
}

static inline void know_pass(const Inputs *in) {
    know_inputs(in);
    KNOW_AS("weights", right_weights(in), "head query key");
}

static inline void check_scores(bool causal) {
    enum { T = 5, D = 3 };
    Inputs *in = inputs_create(1, T, D, causal, 0);
    float *scores = nan_floats(T * T);
    double right[T * T], transposed[T * T], divided[T * T], columns[T * T];
    attention_scores(scores, in->q, in->k, &in->shape);
    for (size_t i = 0; i < T * T; i++) {
        right[i] = dot(in->q64 + i / T * D, in->k64 + i % T * D, D);
        transposed[i] = dot(in->k64 + i / T * D, in->q64 + i % T * D, D);
        divided[i] = right[i] / sqrt(D);
        columns[i] = 0;
        for (size_t c = 0; c < D; c++)
            columns[i] += in->q64[i / T * D + c] * in->k64[c * T + i % T];
        if (causal && i % T > i / T) { /* anything may stand there */
            scores[i] = 0;
            right[i] = transposed[i] = divided[i] = columns[i] = 0;
        }
    }
    know_inputs(in);
    CHECK_CLOSE("scores", scores, right, T * T, 1e-5,
                {"q and k are swapped: row t is for query t", transposed},
                {"k is not transposed: element c of key j lies at k[j * head_dim + c]",
                 columns},
                {"they are divided already: stage 3 does that", divided});
}

static inline void check_weights(const Inputs *in, double tolerance) {
    const AttentionShape *shape = &in->shape;
    const double *right = right_weights(in);
    know_pass(in);
#define WEIGHTS(variation) plain_weights(in->q64, in->k64, shape, variation)
    CHECK_CLOSE(
        "weights", in->weights, right, in->n_weights, tolerance,
        {"the scores are not divided by sqrt(head_dim)", WEIGHTS(NO_SCALE)},
        {"the scores are divided by head_dim instead of its root",
         WEIGHTS(SCALE_BY_DIM)},
        {"the scores are divided by the root of the length, not of head_dim",
         WEIGHTS(SCALE_BY_WIDTH)},
        {"there is no mask: positions see the future", WEIGHTS(NO_MASK)},
        {"the mask is there although causal is false", WEIGHTS(ALWAYS_MASKED)},
        {"the mask is off by one: position t sees t + 1", WEIGHTS(MASK_OFF_BY_ONE)},
        {"a position does not see itself", WEIGHTS(MASK_WITHOUT_SELF)},
        {"a position does not see itself, and position 0 nothing at all: 0/0",
         WEIGHTS(BLIND_POSITION)},
        {"the mask hides the past instead of the future", WEIGHTS(MASK_UPSIDE_DOWN)},
        {"the hidden weights are set to 0 after the softmax: the rows do not sum to 1",
         WEIGHTS(MASK_AFTER_SOFTMAX)},
        {"hidden scores are set to 0: e^0 is 1, they must be left out",
         WEIGHTS(ZERO_SCORES)},
        {"the softmax runs down the columns instead of along the rows",
         WEIGHTS(SOFTMAX_DOWN)},
        {"q and k are swapped", WEIGHTS(QK_SWAPPED)},
        {"the weights are stored after dropout: they must be those before it",
         dropped_weights(right, shape)});
#undef WEIGHTS
}

/* Sets weights to the right scores of all pairs, of one head: what a mask hides is
 * there to be hidden. */
static inline void set_scores(Inputs *in) {
    size_t length = in->shape.length, dim = in->shape.head_dim;
    for (size_t i = 0; i < in->n_weights; i++) {
        in->weights[i] =
            (float)dot(in->q64 + i / length * dim, in->k64 + i % length * dim, dim);
    }
}

static inline void check_softmax(Inputs *in) {
    set_scores(in);
    attention_softmax(in->weights, &in->shape);
    check_weights(in, 1e-5);
}

/* The softmax of scores that are `hidden` above the diagonal. */
static inline void check_hidden(float hidden) {
    enum { T = 4 };
    Inputs *in = inputs_create(1, T, 3, true, 0);
    float *weights = in->weights;
    set_scores(in);
    for (size_t i = 0; i < T * T; i++) {
        if (i % T > i / T) weights[i] = hidden;
    }
    attention_softmax(weights, &in->shape);
    for (size_t i = 0; i < T * T && hidden > 1e30f; i++)
        CHECK(isfinite(weights[i]),
              "weight (%zu, %zu) is %f where hidden scores are %g: is the largest "
              "score searched for among "
              "hidden ones, too?",
              i / T, i % T, (double)weights[i], (double)hidden);
    for (size_t i = 0; i < T * T; i++) {
        CHECK(isfinite(weights[i]),
              "weight (%zu, %zu) is %f: a hidden score was read, or its weight not set "
              "to 0",
              i / T, i % T, (double)weights[i]);
        CHECK(i % T <= i / T || weights[i] == 0,
              "weight (%zu, %zu) is %g, expected 0: the mask hides it", i / T, i % T,
              (double)weights[i]);
    }
    check_weights(in, 1e-5);
}

/* The learner's forward pass. */
static inline void forward(const Inputs *in) {
    attention_forward(in->out, in->weights, in->scratch, in->q, in->k, in->v,
                      &in->shape);
}

/* Compares its weights, then the output. */
static inline void check_forward(const Inputs *in) {
    forward(in);
    check_weights(in, 1e-5);
    const double *right = right_weights(in);
#define OUT(variation) plain_out(right, in->v64, &in->shape, variation)
    CHECK_CLOSE("out", in->out, OUT(RIGHT), in->size, 1e-5,
                {"out is weights^T v instead of weights v", OUT(OUT_TRANSPOSED)},
                {"every head drops the same weights: element i counts over all heads",
                 OUT(ONE_MASK)},
                {"the weights that dropout keeps are not divided by 1 - p",
                 OUT(DROPOUT_NOT_SCALED)},
                {"dropout is left out", OUT(DROPOUT_LEFT_OUT)});
#undef OUT
}

static inline Inputs *golden_inputs(const char *name) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("attention", name, "q", shape);
    Inputs *in = inputs_create(shape[0] * shape[1], shape[2], shape[3],
                               golden_attr("attention", name, "causal") != 0, 0);
    in->q = golden_float("attention", name, "q", NULL);
    in->k = golden_float("attention", name, "k", NULL);
    in->v = golden_float("attention", name, "v", NULL);
    return in;
}

/* The learner's backward pass from right weights, so that a wrong forward pass does not
 * fail it. */
static inline void backward(const Inputs *in, float *dq, float *dk, float *dv) {
    const double *right = right_weights(in);
    for (size_t i = 0; i < in->n_weights; i++) in->weights[i] = (float)right[i];
    attention_backward(dq, dk, dv, in->scratch, in->dout, in->weights, in->q, in->k,
                       in->v, &in->shape);
}

static inline void check_backward(const Inputs *in) {
    backward(in, in->dq, in->dk, in->dv);
    Gradients g = plain_backward(in, RIGHT);
    know_pass(in);
    KNOW_AS("dout", in->dout64, "head query element");
    KNOW_AS("ds", plain_dscores(in), "head query key");
#define PLAIN(variation, part) plain_backward(in, variation).part
    CHECK_ADDED(
        "dv", in->dv, g.dv, in->size, 1e-5,
        {"dv is weights dout: it is weights^T dout", PLAIN(BACK_V_TRANSPOSED, dv)},
        {"dv uses the weights before dropout", PLAIN(BACK_V_NOT_DROPPED, dv)},
        {"dropout is left out", PLAIN(DROPOUT_LEFT_OUT, dv)},
        {"every head drops the same weights", PLAIN(ONE_MASK, dv)});
#define SHARED(part)                                                                   \
    {"1 / sqrt(head_dim) is left out", PLAIN(BACK_NO_SCALE, part)},                    \
        {"the softmax's gradient lacks the term sum(dw * w)",                          \
         PLAIN(BACK_NO_SUM, part)},                                                    \
        {"the sum is of dw alone, not of dw * w", PLAIN(BACK_SUM_OF_DW, part)},        \
        {"the sum of dw * w lacks its last term", PLAIN(BACK_SHORT_SUM, part)},        \
        {"the sum of dw * w is used while it is still being summed: two loops",        \
         PLAIN(BACK_PART_OF_SUM, part)},                                               \
        {"the sum of dw * w is taken anew for each position, when some of dw is "      \
         "overwritten already",                                                        \
         PLAIN(BACK_SUM_AGAIN, part)},                                                 \
        {"every head drops the same gradients of weights", PLAIN(ONE_MASK, part)},     \
        {"hidden scores get a gradient: the future leaks into it",                     \
         PLAIN(BACK_LEAK, part)},                                                      \
        {"the gradient of the weights does not go through dropout",                    \
         PLAIN(DROPOUT_LEFT_OUT, part)},                                               \
        {"the softmax's gradient takes the weights after dropout",                     \
         PLAIN(BACK_DROPPED_TWICE, part)},                                             \
        {"dq and dk are swapped", PLAIN(BACK_QK_SWAPPED, part)}
    CHECK_ADDED("dq", in->dq, g.dq, in->size, 1e-5, SHARED(dq));
    CHECK_ADDED("dk", in->dk, g.dk, in->size, 1e-5, SHARED(dk),
                {"dk is ds q: it is ds^T q", PLAIN(BACK_K_TRANSPOSED, dk)});
#undef SHARED
#undef PLAIN
}

#endif
