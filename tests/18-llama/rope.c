/* Tests of exercise 18/rope. */
#include "18-llama/rope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/check.h"
#include "check/golden.h"

/* --- frequencies --- */

typedef enum {
    FREQUENCIES,
    HALF_EXPONENT,  /* -i / head_dim */
    WHOLE_WIDTH,    /* d_model for head_dim */
    FIXED_BASE,     /* 10000, not the model's */
    TURNED_ROUND,   /* base^(+2i / head_dim) */
    FROM_ONE,       /* pairs counted from 1 */
    OVER_PAIRS_LESS /* the last one is 1 / base */
} Exponent;

static double *frequencies(size_t d_model, size_t n_head, double base, Exponent e) {
    size_t head_dim = d_model / n_head, n = head_dim / 2;
    double *f = checked_alloc(n, sizeof *f), width = (double)head_dim;
    for (size_t i = 0; i < n; i++) {
        double twice = 2 * (double)i;
        double exponent = e == HALF_EXPONENT     ? twice / 2 / width
                          : e == WHOLE_WIDTH     ? twice / (double)d_model
                          : e == FROM_ONE        ? (twice + 2) / width
                          : e == OVER_PAIRS_LESS ? (double)i / ((double)n - 1)
                                                 : twice / width;
        f[i] = pow(e == FIXED_BASE ? 10000 : base,
                   e == TURNED_ROUND ? exponent : -exponent);
    }
    return f;
}

static void check_frequencies(size_t d_model, size_t n_head, float base) {
    size_t n = d_model / n_head / 2;
    float *f = nan_floats(n);
    rope_frequencies(f, d_model, n_head, base);
    AXES({"pair", "head_dim / 2", n});
#define FREQUENCY(e) frequencies(d_model, n_head, (double)base, e)
    CHECK_CLOSE("frequencies", f, FREQUENCY(FREQUENCIES), n, 1e-5,
                {"the exponent is -i / head_dim: a pair is two features, so -2 i",
                 FREQUENCY(HALF_EXPONENT)},
                {"the exponent is over d_model: each head has all frequencies, so over "
                 "head_dim",
                 FREQUENCY(WHOLE_WIDTH)},
                {"the exponent is positive", FREQUENCY(TURNED_ROUND)},
                {"pairs are counted from 1: the first turns by 1 a position",
                 FREQUENCY(FROM_ONE)},
                {"the exponent is over head_dim - 2: the last pair turns faster than 1 "
                 "/ base",
                 n > 1 ? FREQUENCY(OVER_PAIRS_LESS) : FREQUENCY(FREQUENCIES)},
                {"the base is 10000 whatever the model says", FREQUENCY(FIXED_BASE)});
    /* The slowest pairs are small beside the first: each for itself. */
    double *right = FREQUENCY(FREQUENCIES);
    for (size_t i = 0; i < n; i++)
        CHECK(fabs((double)f[i] / right[i] - 1) < 1e-4,
              "the frequency of pair %zu is %g, expected %g", i, (double)f[i],
              right[i]);
#undef FREQUENCY
}

Test(rope, frequencies, .timeout = 10) {
    check_frequencies(24, 3, 50);
}
Test(rope, frequencies_of_models, .timeout = 10) {
    check_frequencies(576, 9, 100000);
    check_frequencies(896, 14, 1000000);
    check_frequencies(6, 3, 7);
}

/* --- the rotation --- */

typedef enum {
    RIGHT,
    NEIGHBOURS,
    OTHER_SIGN,
    BY_ROW,
    TWICE,
    V_TOO,
    Q_ALONE,
    K_ALONE,
    FIRST_HEADS,   /* of q and of k only the first */
    NO_SECOND,     /* the second half is copied */
    OVERWRITTEN,   /* the second half is made of the first's result */
    ONE_FREQUENCY, /* that of pair 0 */
    IN_DOUBLE      /* the angle */
} Variation;

/* Adds `x` rotated to out, and back with direction -1. */
static void plain_row(double *out, const float *x, const RopeShape *s, size_t r,
                      double direction, Variation v) {
    size_t half = s->head_dim / 2, heads = s->n_head + 2 * s->n_kv_head;
    for (size_t h = 0; h < heads; h++) {
        bool is_q = h < s->n_head, is_v = h >= s->n_head + s->n_kv_head;
        bool still = (is_v && v != V_TOO) || (!is_q && v == Q_ALONE) ||
                     (is_q && v == K_ALONE) ||
                     (v == FIRST_HEADS && h != 0 && h != s->n_head);
        for (size_t i = 0; i < half; i++) {
            size_t a = h * s->head_dim + (v == NEIGHBOURS ? 2 * i : i),
                   b = v == NEIGHBOURS ? a + 1 : a + half;
            float f = s->frequencies[v == ONE_FREQUENCY ? 0 : i],
                  angle = (float)(v == BY_ROW ? (int)r : s->positions[r]) * f;
            double exact = (double)angle;
            if (v == IN_DOUBLE) exact = (double)s->positions[r] * (double)f;
            double turn =
                exact * (v == TWICE ? 2 : 1) * direction * (v == OTHER_SIGN ? -1 : 1);
            double c = still ? 1 : cos(turn), sine = still ? 0 : sin(turn);
            double first = (double)x[a] * c - (double)x[b] * sine;
            double from = v == OVERWRITTEN ? first : (double)x[a];
            out[a] += first;
            out[b] += v == NO_SECOND ? (double)x[b] : (double)x[b] * c + from * sine;
        }
    }
}

static size_t width_of(const RopeShape *s) {
    return (s->n_head + 2 * s->n_kv_head) * s->head_dim;
}

static double *plain(const float *x, const RopeShape *s, double direction,
                     Variation v) {
    double *out = checked_alloc(s->rows * width_of(s), sizeof *out);
    for (size_t r = 0; r < s->rows; r++)
        plain_row(out + r * width_of(s), x + r * width_of(s), s, r, direction, v);
    return out;
}

static RopeShape shape_of(size_t rows, size_t n_head, size_t n_kv_head, size_t head_dim,
                          const int *positions) {
    double *f = frequencies(n_head * head_dim, n_head, 30, FREQUENCIES);
    float *floats = checked_alloc(head_dim / 2, sizeof *floats);
    for (size_t i = 0; i < head_dim / 2; i++) floats[i] = (float)f[i];
    return (RopeShape){.rows = rows,
                       .n_head = n_head,
                       .n_kv_head = n_kv_head,
                       .head_dim = head_dim,
                       .positions = positions,
                       .frequencies =
                           guarded_copy(floats, head_dim / 2, sizeof *floats)};
}

static void know_rows(const RopeShape *s) {
    AXES({"row", "rows", s->rows}, {"column", "width", width_of(s)});
}

#define TURNED(v) plain(x, &s, 1, v)
#define FORWARD_MISTAKES                                                               \
    {"neighbours 2 i and 2 i + 1 are pairs: here i and i + head_dim / 2 are",          \
     TURNED(NEIGHBOURS)},                                                              \
        {"it is turned the other way: the sign of the angle", TURNED(OTHER_SIGN)},     \
        {"the row's number is taken for its position", TURNED(BY_ROW)},                \
        {"it is turned twice", TURNED(TWICE)},                                         \
        {"v is rotated too: it carries no position", TURNED(V_TOO)},                   \
        {"k is not rotated", TURNED(Q_ALONE)}, {"q is not rotated", TURNED(K_ALONE)},  \
        {"of q and k only the first head is rotated", TURNED(FIRST_HEADS)},            \
        {"the second half is copied, not rotated", TURNED(NO_SECOND)},                 \
        {"the second half is made of what the first half has become",                  \
         TURNED(OVERWRITTEN)},                                                         \
    {                                                                                  \
        "all pairs turn with the first one's frequency", TURNED(ONE_FREQUENCY)         \
    }

static void check_forward(RopeShape s, unsigned seed) {
    size_t n = s.rows * width_of(&s);
    float *x = normal_floats(n, 1, seed), *out = nan_floats(n);
    rope_forward(out, x, &s);
    know_rows(&s);
    CHECK_CLOSE("out", out, plain(x, &s, 1, RIGHT), n, 1e-5, FORWARD_MISTAKES,
                {"nothing is rotated", as_double(x, n)});
}

static const int in_order[5] = {0, 1, 2, 3, 4}, behind[5] = {11, 12, 13, 14, 15},
                 mixed[6] = {7, 0, 3, 3, 0, 21};

/* A quarter of a turn takes (1, 0) to (0, 1). */
Test(rope, a_quarter_of_a_turn, .timeout = 10) {
    float quarter = 1.57079632679f, x[6] = {1, 0, 0, 1, 5, 6}, out[6];
    RopeShape s = {1, 1, 1, 2, (int[]){1}, &quarter};
    rope_forward(out, x, &s);
    CHECK_CLOSE(
        "q | k | v", out, ((double[]){0, 1, -1, 0, 5, 6}), 6, 1e-6,
        {"it is turned the other way: the sign of the angle",
         ((double[]){0, -1, 1, 0, 5, 6})},
        {"v is rotated too: it carries no position", ((double[]){0, 1, -1, 0, -6, 5})},
        {"nothing is rotated", ((double[]){1, 0, 0, 1, 5, 6})});
}
Test(rope, forward, .timeout = 10) {
    check_forward(shape_of(5, 2, 2, 8, in_order), 1);
}
Test(rope, shared_keys, .timeout = 10) {
    check_forward(shape_of(5, 6, 2, 6, in_order), 2);
}
Test(rope, behind_a_cache, .timeout = 10) {
    check_forward(shape_of(5, 4, 2, 6, behind), 3);
    check_forward(shape_of(1, 4, 1, 6, behind), 4);
}
Test(rope, rows_of_a_batch, .timeout = 10) {
    check_forward(shape_of(6, 3, 3, 4, mixed), 5);
}

/* The purpose of RoPE: the product of q at p and k at j depends on p - j alone. */
Test(rope, a_score_knows_the_distance, .timeout = 10) {
    enum { DIM = 16 };
    int positions[2] = {5, 0};
    RopeShape s = shape_of(2, 1, 1, DIM, positions);
    float *x = normal_floats(2 * 3 * DIM, 1, 6);
    double first = 0;
    for (int from = 0; from < 40; from += 13) {
        positions[0] = from + 5;
        positions[1] = from;
        float *out = nan_floats(2 * 3 * DIM);
        rope_forward(out, x, &s);
        double score = 0;
        for (size_t i = 0; i < DIM; i++)
            score += (double)out[i] * (double)out[3 * DIM + DIM + i];
        if (from == 0) first = score;
        CHECK(
            fabs(score - first) < 1e-4,
            "q at %d times k at %d is %.5f, at 5 and 0 it is %.5f: at equal distances "
            "it must be the same",
            positions[0], positions[1], score, first);
    }
}

static void check_backward(RopeShape s, unsigned seed) {
    size_t n = s.rows * width_of(&s);
    float *x = normal_floats(n, 1, seed), *dqkv = ones_and_a_half(n);
    rope_backward(dqkv, x, &s);
    know_rows(&s);
#define BACK(v) plain(x, &s, -1, v)
    CHECK_ADDED(
        "dqkv", dqkv, BACK(RIGHT), n, 1e-5,
        {"the gradient is turned on, not back: the angle is negative",
         plain(x, &s, 1, RIGHT)},
        {"neighbours 2 i and 2 i + 1 are pairs: here i and i + head_dim / 2 are",
         BACK(NEIGHBOURS)},
        {"the row's number is taken for its position", BACK(BY_ROW)},
        {"v's gradient is rotated too", BACK(V_TOO)},
        {"k's gradient is not rotated", BACK(Q_ALONE)},
        {"q's gradient is not rotated", BACK(K_ALONE)},
        {"the second half is copied, not rotated", BACK(NO_SECOND)},
        {"nothing is rotated", as_double(x, n)});
#undef BACK
}

Test(rope, backward, .timeout = 10) {
    check_backward(shape_of(5, 2, 2, 8, in_order), 7);
}
Test(rope, backward_of_shared_keys, .timeout = 10) {
    check_backward(shape_of(5, 6, 2, 6, behind), 8);
    check_backward(shape_of(6, 3, 3, 4, mixed), 9);
}

Test(rope, far_positions, .timeout = 10) {
    int far[3] = {4095, 8000, 1};
    RopeShape s = shape_of(3, 2, 1, 8, far);
    size_t n = s.rows * width_of(&s);
    float *x = normal_floats(n, 1, 10), *out = nan_floats(n);
    rope_forward(out, x, &s);
    know_rows(&s);
    CHECK_CLOSE("out", out, plain(x, &s, 1, RIGHT), n, 2e-6, FORWARD_MISTAKES,
                {"the angle is computed in double: take a product of floats",
                 plain(x, &s, 1, IN_DOUBLE)});
}

/* Large enough for threads. */
Test(rope, many_rows, .timeout = 10) {
    enum { ROWS = 700 };
    int positions[ROWS];
    for (int r = 0; r < ROWS; r++) positions[r] = r % 100;
    check_forward(shape_of(ROWS, 8, 2, 16, positions), 11);
    check_backward(shape_of(ROWS, 8, 2, 16, positions), 12);
}

/* --- as transformers has it --- */

/* [heads, length, head_dim] to columns `at` of rows. */
static void to_rows(float *rows, size_t width, size_t at, const float *x, size_t heads,
                    size_t length, size_t dim) {
    for (size_t h = 0; h < heads; h++) {
        for (size_t t = 0; t < length; t++)
            memcpy(rows + t * width + at + h * dim, x + (h * length + t) * dim,
                   dim * sizeof *x);
    }
}

static void check_golden(const char *family, float base) {
    size_t q[SAFETENSORS_MAX_NDIM], k[SAFETENSORS_MAX_NDIM];
    golden_shape(family, NULL, "q", q);
    golden_shape(family, NULL, "k", k);
    size_t length = q[1], dim = q[2], width = (q[0] + 2 * k[0]) * dim;
    float *x = checked_alloc(length * width, sizeof *x),
          *right = checked_alloc(length * width, sizeof *x),
          *f = checked_alloc(dim / 2, sizeof *f), *out = nan_floats(length * width);
    int *positions = checked_alloc(length, sizeof *positions);
    for (size_t t = 0; t < length; t++) positions[t] = (int)t;
    for (int i = 0; i < 2; i++) {
        float *to = i ? right : x;
        to_rows(to, width, 0, golden_float(family, NULL, i ? "q_rotated" : "q", NULL),
                q[0], length, dim);
        to_rows(to, width, q[0] * dim,
                golden_float(family, NULL, i ? "k_rotated" : "k", NULL), k[0], length,
                dim);
    }
    rope_frequencies(f, q[0] * dim, q[0], base);
    RopeShape s = {length, q[0], k[0], dim, positions, f};
    rope_forward(out, x, &s);
    know_rows(&s);
    CHECK_CLOSE("out", out, as_double(right, length * width), length * width, 1e-5,
                FORWARD_MISTAKES);
}

Test(rope, as_huggingface, .timeout = 10) {
    check_golden("llama/smol/golden", 100000);
    check_golden("llama/qwen/golden", 1000000);
}
