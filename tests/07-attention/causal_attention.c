/* Tests of exercise 07/causal_attention: the mask, the scale, the softmax and its gradient, dropout. */
#include "07-attention/causal_attention.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "golden.h"
#include "gradcheck.h"
#include "memory.h"

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
    SOFTMAX_DOWN,       /* down the columns: over the positions that look, not those looked at */
    QK_SWAPPED,
    OUT_TRANSPOSED,     /* out = weights^T v */
    ONE_MASK,           /* every head drops the same weights */
    DROPOUT_NOT_SCALED, /* no division by 1 - p */
    DROPOUT_LEFT_OUT,   /* forward, or in the backward pass alone */
    BACK_NO_SUM,        /* the backward pass of softmax without sum(dw w) */
    BACK_NO_SCALE,      /* 1 / sqrt(head_dim) left out of dq and dk */
    BACK_LEAK,          /* hidden scores get the gradient of the weights */
    BACK_QK_SWAPPED,    /* dq and dk swapped */
    BACK_K_TRANSPOSED,  /* dk = ds q */
    BACK_V_TRANSPOSED,  /* dv = weights dout */
    BACK_V_NOT_DROPPED, /* dv from the weights before dropout */
} Variation;

static bool sees(const AttentionShape *shape, size_t t, size_t s, Variation variation) {
    if (variation == ALWAYS_MASKED) return s <= t;
    if (!shape->causal || variation == NO_MASK) return true;
    if (variation == MASK_OFF_BY_ONE) return s <= t + 1;
    if (variation == MASK_WITHOUT_SELF || variation == BLIND_POSITION) return s < t;
    if (variation == MASK_UPSIDE_DOWN) return s >= t;
    return s <= t;
}

/* 1 / (1 - p) or 0: what dropout multiplies weight (h, t, s) by, from the words of dropout.h. */
static double kept(const AttentionShape *shape, size_t h, size_t t, size_t s, Variation variation) {
    if (shape->dropout == 0.0f || variation == DROPOUT_LEFT_OUT) return 1;
    size_t length = shape->length, head = variation == ONE_MASK ? 0 : h;
    size_t i = (head * length + t) * length + s;
    float u = (float)(random_at(shape->random, shape->random->next + i) >> 8) * 0x1p-24f;
    if (u < shape->dropout) return 0;
    return variation == DROPOUT_NOT_SCALED ? 1 : 1 / (1 - (double)shape->dropout);
}

static double score_scale(const AttentionShape *shape, Variation variation) {
    double dim = (double)shape->head_dim;
    if (variation == NO_SCALE) return 1;
    if (variation == SCALE_BY_DIM) return 1 / dim;
    return 1 / sqrt(variation == SCALE_BY_WIDTH ? (double)shape->length : dim);
}

static double dot(const double *a, const double *b, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* Turns scores [length, length] into weights, along the rows or (a mistake) down the columns. */
static void plain_softmax(double *x, size_t length, Variation variation) {
    bool down = variation == SOFTMAX_DOWN;
    size_t along = down ? length : 1, across = down ? 1 : length;
    for (size_t line = 0; line < length; line++) {
        double *row = x + line * across, max = -INFINITY, sum = 0;
        for (size_t i = 0; i < length; i++) max = fmax(max, row[i * along]);
        if (max == -INFINITY && variation != BLIND_POSITION) max = 0; /* nothing is seen: all weights are 0 */
        for (size_t i = 0; i < length; i++) sum += exp(row[i * along] - max);
        if (sum == 0) sum = 1;
        for (size_t i = 0; i < length; i++) row[i * along] = exp(row[i * along] - max) / sum;
    }
}

static double *plain_weights(const double *q, const double *k, const AttentionShape *shape,
                             Variation variation) {
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
            w[i] = seen ? score_scale(shape, variation) * dot(a + t * dim, b + s * dim, dim) : hidden;
        }
        plain_softmax(w, length, variation);
        for (size_t i = 0; i < length * length && variation == MASK_AFTER_SOFTMAX; i++) {
            if (!sees(shape, i / length, i % length, RIGHT)) w[i] = 0;
        }
    }
    return weights;
}

/* out [n_heads, length, head_dim] = weights v, with dropout. */
static double *plain_out(const double *weights, const double *v, const AttentionShape *shape,
                         Variation variation) {
    size_t length = shape->length, dim = shape->head_dim;
    double *out = checked_alloc(shape->n_heads * length * dim, sizeof *out);
    for (size_t h = 0; h < shape->n_heads; h++) {
        for (size_t i = 0; i < length * length; i++) {
            size_t t = i / length, s = i % length;
            double w = weights[h * length * length + i] * kept(shape, h, t, s, variation);
            if (variation == OUT_TRANSPOSED) t = i % length, s = i / length;
            for (size_t c = 0; c < dim; c++) {
                out[(h * length + t) * dim + c] += w * v[(h * length + s) * dim + c];
            }
        }
    }
    return out;
}

static double *dropped_weights(const double *weights, const AttentionShape *shape) {
    size_t length = shape->length, n = shape->n_heads * length * length;
    double *dropped = checked_alloc(n, sizeof *dropped);
    for (size_t i = 0; i < n; i++) {
        dropped[i] = weights[i] * kept(shape, i / (length * length), i / length % length, i % length, RIGHT);
    }
    return dropped;
}

typedef struct {
    AttentionShape shape;
    size_t size, n_weights;
    float *q, *k, *v, *dout;
    double *q64, *k64, *v64, *dout64;
    Random random;
} Inputs;

static Inputs *inputs_create(size_t n_heads, size_t length, size_t dim, bool causal, float dropout) {
    Inputs *in = checked_alloc(1, sizeof *in);
    in->random = (Random){.seed = 5, .stream = 2, .next = 100};
    in->shape = (AttentionShape){n_heads, length, dim, causal, dropout, dropout > 0 ? &in->random : NULL};
    in->size = n_heads * length * dim, in->n_weights = n_heads * length * length;
    in->q = normal_floats(in->size, 1.5, 1), in->k = normal_floats(in->size, 1, 2);
    in->v = normal_floats(in->size, 1, 3), in->dout = normal_floats(in->size, 1, 4);
    in->q64 = as_double(in->q, in->size), in->k64 = as_double(in->k, in->size);
    in->v64 = as_double(in->v, in->size), in->dout64 = as_double(in->dout, in->size);
    return in;
}

/* Runs the learner's forward pass and compares the weights, then the output. */
static void check_forward(const Inputs *in, double tolerance) {
    const AttentionShape *shape = &in->shape;
    float *out = nan_floats(in->size), *weights = nan_floats(in->n_weights);
    attention_forward(out, weights, nan_floats(in->n_weights), in->q, in->k, in->v, shape);
    const double *right = plain_weights(in->q64, in->k64, shape, RIGHT);
#define WEIGHTS(variation) plain_weights(in->q64, in->k64, shape, variation)
#define OUT(variation) plain_out(right, in->v64, shape, variation)
    CHECK_CLOSE(
        "weights", weights, right, in->n_weights, tolerance,
        {"the scores are not divided by sqrt(head_dim)", WEIGHTS(NO_SCALE)},
        {"the scores are divided by head_dim instead of its root", WEIGHTS(SCALE_BY_DIM)},
        {"the scores are divided by the root of the length, not of head_dim", WEIGHTS(SCALE_BY_WIDTH)},
        {"there is no mask: positions see the future", WEIGHTS(NO_MASK)},
        {"the mask is there although causal is false", WEIGHTS(ALWAYS_MASKED)},
        {"the mask is off by one: position t sees t + 1", WEIGHTS(MASK_OFF_BY_ONE)},
        {"a position does not see itself", WEIGHTS(MASK_WITHOUT_SELF)},
        {"a position does not see itself, and position 0 nothing at all: 0/0", WEIGHTS(BLIND_POSITION)},
        {"the mask hides the past instead of the future", WEIGHTS(MASK_UPSIDE_DOWN)},
        {"the hidden weights are set to 0 after the softmax: the rows do not sum to 1",
         WEIGHTS(MASK_AFTER_SOFTMAX)},
        {"hidden scores are set to 0: e^0 is 1, they must be left out", WEIGHTS(ZERO_SCORES)},
        {"the softmax runs down the columns instead of along the rows", WEIGHTS(SOFTMAX_DOWN)},
        {"q and k are swapped", WEIGHTS(QK_SWAPPED)},
        {"the weights are stored after dropout: they must be those before it",
         dropped_weights(right, shape)});
    CHECK_CLOSE("out", out, OUT(RIGHT), in->size, tolerance,
                {"out is weights^T v instead of weights v", OUT(OUT_TRANSPOSED)},
                {"every head drops the same weights: element i counts over all heads", OUT(ONE_MASK)},
                {"the weights that dropout keeps are not divided by 1 - p", OUT(DROPOUT_NOT_SCALED)},
                {"dropout is left out", OUT(DROPOUT_LEFT_OUT)});
#undef WEIGHTS
#undef OUT
}

Test(causal_attention, forward_causal, .timeout = 10) {
    check_forward(inputs_create(3, 5, 4, true, 0), 1e-5);
}

Test(causal_attention, forward_without_mask, .timeout = 10) {
    check_forward(inputs_create(2, 5, 3, false, 0), 1e-5);
}

Test(causal_attention, forward_dropout, .timeout = 10) {
    check_forward(inputs_create(3, 6, 4, true, 0.4f), 1e-5);
}

/* Large enough for threads, and no multiple of a round number. */
Test(causal_attention, forward_large, .timeout = 10) {
    check_forward(inputs_create(5, 67, 19, true, 0), 1e-5);
}

/* The last position changes: what came before must not notice, to the last bit. */
Test(causal_attention, forward_does_not_see_the_future, .timeout = 10) {
    enum { T = 6, D = 3 };
    Inputs *in = inputs_create(1, T, D, true, 0);
    float *before = nan_floats(T * D), *after = nan_floats(T * D), *weights = nan_floats(T * T);
    float *scratch = nan_floats(T * T);
    attention_forward(before, weights, scratch, in->q, in->k, in->v, &in->shape);
    for (size_t c = (T - 1) * D; c < T * D; c++) in->q[c] += 1.0f, in->k[c] -= 2.0f, in->v[c] *= 3.0f;
    attention_forward(after, weights, scratch, in->q, in->k, in->v, &in->shape);
    for (size_t i = 0; i < (T - 1) * D; i++) {
        CHECK(before[i] == after[i],
              "position %zu noticed a change at position %d: the future leaks (%.9g became %.9g)", i / D,
              T - 1, (double)before[i], (double)after[i]);
    }
    CHECK(memcmp(before + (T - 1) * D, after + (T - 1) * D, D * sizeof(float)) != 0,
          "the last position did not notice its own change: a position does not see itself");
}

/* Scores near +-1000: e^1000 is beyond float and e^-1000 is 0, but the softmax is as tame as ever. */
Test(causal_attention, forward_large_scores, .timeout = 10) {
    for (int sign = -1; sign <= 1; sign += 2) {
        Inputs *in = inputs_create(2, 4, 4, true, 0);
        for (size_t i = 0; i < in->size; i++) {
            in->q[i] = (float)sign * (30.0f + 0.02f * in->q[i]), in->k[i] = 16.0f + 0.02f * in->k[i];
        }
        in->q64 = as_double(in->q, in->size), in->k64 = as_double(in->k, in->size);
        float *out = nan_floats(in->size), *weights = nan_floats(in->n_weights);
        attention_forward(out, weights, nan_floats(in->n_weights), in->q, in->k, in->v, &in->shape);
        for (size_t i = 0; i < in->n_weights; i++) {
            CHECK(isfinite(weights[i]),
                  "weights[%zu] is %f at scores of %d: take off the largest score before exp", i,
                  (double)weights[i], sign * 960);
        }
        check_forward(in, 1e-3); /* a score of 960 is good to 1e-4 in float */
    }
}

/* Position 0 sees itself alone, whatever the numbers. */
Test(causal_attention, forward_first_position, .timeout = 10) {
    Inputs *in = inputs_create(2, 3, 4, true, 0);
    float *out = nan_floats(in->size), *weights = nan_floats(in->n_weights);
    attention_forward(out, weights, nan_floats(in->n_weights), in->q, in->k, in->v, &in->shape);
    CHECK_CLOSE("weights of position 0", weights, ((double[]){1, 0, 0}), 3, 1e-6,
                {"position 0 does not see itself", (double[]){0, 0, 0}},
                {"position 0 does not see itself: 0/0", (double[]){NAN, NAN, NAN}});
    CHECK_CLOSE("out of position 0, which is v of position 0,", out, in->v64, 4, 1e-6);
}

static Inputs *golden_inputs(const char *name) {
    size_t shape[SAFETENSORS_MAX_NDIM];
    golden_shape("attention", name, "q", shape);
    Inputs *in = inputs_create(shape[0] * shape[1], shape[2], shape[3],
                               golden_attr("attention", name, "causal") != 0, 0);
    in->q = golden_float("attention", name, "q", NULL), in->k = golden_float("attention", name, "k", NULL);
    in->v = golden_float("attention", name, "v", NULL);
    return in;
}

Test(causal_attention, weights_equal_pytorch, .timeout = 10) {
    const char *cases[] = {"causal_h2", "full_h2", "causal_h4"};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        Inputs *in = golden_inputs(cases[c]);
        float *out = nan_floats(in->size), *weights = nan_floats(in->n_weights);
        attention_forward(out, weights, nan_floats(in->n_weights), in->q, in->k, in->v, &in->shape);
        CHECK_CLOSE(cases[c], weights, golden("attention", cases[c], "att", NULL), in->n_weights, 1e-5);
    }
}

/* --- backward --- */

typedef struct {
    double *dq, *dk, *dv;
} Gradients;

/* The gradients of one head, by the formulas, with the mistakes that are often made. */
static void plain_head_backward(Gradients g, const Inputs *in, const double *w, size_t h,
                                Variation variation) {
    size_t length = in->shape.length, dim = in->shape.head_dim, start = h * length * dim;
    double scale = variation == BACK_NO_SCALE ? 1 : score_scale(&in->shape, RIGHT);
    for (size_t t = 0; t < length; t++) {
        double dw[128], mean = 0;
        for (size_t s = 0; s < length; s++) {
            double keep = kept(&in->shape, h, t, s, variation);
            double keep_v = variation == BACK_V_NOT_DROPPED ? 1 : keep;
            bool turned = variation == BACK_V_TRANSPOSED;
            dw[s] = keep * dot(in->dout64 + start + t * dim, in->v64 + start + s * dim, dim);
            mean += dw[s] * w[t * length + s];
            for (size_t c = 0; c < dim; c++) {
                g.dv[start + (turned ? t : s) * dim + c] +=
                    keep_v * w[t * length + s] * in->dout64[start + (turned ? s : t) * dim + c];
            }
        }
        for (size_t s = 0; s < length; s++) {
            double ds = scale * w[t * length + s] * (dw[s] - (variation == BACK_NO_SUM ? 0 : mean));
            if (variation == BACK_LEAK && in->shape.causal && s > t) ds = dw[s];
            size_t to = variation == BACK_K_TRANSPOSED ? t : s, from = variation == BACK_K_TRANSPOSED ? s : t;
            for (size_t c = 0; c < dim; c++) {
                g.dq[start + t * dim + c] += ds * in->k64[start + s * dim + c];
                g.dk[start + to * dim + c] += ds * in->q64[start + from * dim + c];
            }
        }
    }
}

static Gradients plain_backward(const Inputs *in, Variation variation) {
    double *weights = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
    Gradients g = {checked_alloc(in->size, sizeof(double)), checked_alloc(in->size, sizeof(double)),
                   checked_alloc(in->size, sizeof(double))};
    for (size_t h = 0; h < in->shape.n_heads; h++) {
        plain_head_backward(g, in, weights + h * in->shape.length * in->shape.length, h, variation);
    }
    if (variation == BACK_QK_SWAPPED) return (Gradients){g.dk, g.dq, g.dv};
    return g;
}

/* The learner's backward pass from right weights, so that a wrong forward pass does not fail it. */
static void check_backward(const Inputs *in) {
    const double *right = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
    float *weights = checked_alloc(in->n_weights, sizeof *weights);
    for (size_t i = 0; i < in->n_weights; i++) weights[i] = (float)right[i];
    float *dq = ones_and_a_half(in->size), *dk = ones_and_a_half(in->size), *dv = ones_and_a_half(in->size);
    attention_backward(dq, dk, dv, nan_floats(in->n_weights), in->dout, weights, in->q, in->k, in->v,
                       &in->shape);
    Gradients g = plain_backward(in, RIGHT);
#define PLAIN(variation, part) plain_backward(in, variation).part
    CHECK_ADDED("dv", dv, g.dv, in->size, 1e-5,
                {"dv is weights dout: it is weights^T dout", PLAIN(BACK_V_TRANSPOSED, dv)},
                {"dv uses the weights before dropout", PLAIN(BACK_V_NOT_DROPPED, dv)},
                {"dropout is left out", PLAIN(DROPOUT_LEFT_OUT, dv)},
                {"every head drops the same weights", PLAIN(ONE_MASK, dv)});
#define SHARED(part)                                                                                         \
    {"1 / sqrt(head_dim) is left out", PLAIN(BACK_NO_SCALE, part)},                                          \
        {"the softmax's gradient lacks the term sum(dw * w)", PLAIN(BACK_NO_SUM, part)},                     \
        {"hidden scores get a gradient: the future leaks into it", PLAIN(BACK_LEAK, part)},                  \
        {"the gradient of the weights does not go through dropout", PLAIN(DROPOUT_LEFT_OUT, part)},          \
        {"dq and dk are swapped", PLAIN(BACK_QK_SWAPPED, part)}
    CHECK_ADDED("dq", dq, g.dq, in->size, 1e-5, SHARED(dq));
    CHECK_ADDED("dk", dk, g.dk, in->size, 1e-5, SHARED(dk),
                {"dk is ds q: it is ds^T q", PLAIN(BACK_K_TRANSPOSED, dk)});
#undef SHARED
#undef PLAIN
}

Test(causal_attention, backward_causal, .timeout = 10) {
    check_backward(inputs_create(3, 5, 4, true, 0));
}

Test(causal_attention, backward_without_mask, .timeout = 10) {
    check_backward(inputs_create(2, 5, 3, false, 0));
}

Test(causal_attention, backward_dropout, .timeout = 10) {
    check_backward(inputs_create(3, 6, 4, true, 0.4f));
}

Test(causal_attention, backward_large, .timeout = 10) {
    check_backward(inputs_create(5, 67, 19, true, 0));
}

Test(causal_attention, backward_skips_null, .timeout = 10) {
    Inputs *in = inputs_create(2, 4, 3, true, 0);
    const double *right = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
    float *weights = checked_alloc(in->n_weights, sizeof *weights), *dv = ones_and_a_half(in->size);
    for (size_t i = 0; i < in->n_weights; i++) weights[i] = (float)right[i];
    crash_means("dq or dk is written to though it is NULL");
    attention_backward(NULL, NULL, dv, nan_floats(in->n_weights), in->dout, weights, in->q, in->k, in->v,
                       &in->shape);
    CHECK_ADDED("dv", dv, plain_backward(in, RIGHT).dv, in->size, 1e-5);
}

/* The formulas themselves, against differences of the plain forward pass.
 * x is q, k, v one after the other. */
static double plain_loss(const double *x, size_t n, void *context) {
    const Inputs *in = context;
    double *weights = plain_weights(x, x + n / 3, &in->shape, RIGHT);
    return dot(plain_out(weights, x + 2 * n / 3, &in->shape, RIGHT), in->dout64, n / 3);
}

Test(causal_attention, backward_equals_differences, .timeout = 10) {
    Inputs *in = inputs_create(2, 4, 3, true, 0);
    size_t n = in->size;
    double *x = checked_alloc(3 * n, sizeof *x), *expected = checked_alloc(3 * n, sizeof *expected);
    memcpy(x, in->q64, n * sizeof *x), memcpy(x + n, in->k64, n * sizeof *x);
    memcpy(x + 2 * n, in->v64, n * sizeof *x);
    numeric_gradient(expected, plain_loss, x, 3 * n, 1e-5, in);

    const double *right = plain_weights(in->q64, in->k64, &in->shape, RIGHT);
    float *weights = checked_alloc(in->n_weights, sizeof *weights), *d = ones_and_a_half(3 * n);
    for (size_t i = 0; i < in->n_weights; i++) weights[i] = (float)right[i];
    attention_backward(d, d + n, d + 2 * n, nan_floats(in->n_weights), in->dout, weights, in->q, in->k, in->v,
                       &in->shape);
    CHECK_ADDED("dq | dk | dv", d, expected, 3 * n, 1e-5);
}
