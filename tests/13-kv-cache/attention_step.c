/* Tests of exercise 13/attention_step. */
#include "13-kv-cache/attention_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/golden.h"
#include "base/memory.h"

typedef enum {
    RIGHT,
    NO_SCALE,
    SCALE_BY_DIM,
    SCALE_BY_ALL_HEADS,
    ONE_SHORT,
    WHOLE_CAPACITY,
    UNIFORM,
    RUNNING_SUM,        /* each weight is divided by the sum as far as it has come */
    NOT_DIVIDED,        /* the weights do not sum to 1 */
    HEADS_LENGTH_APART, /* head h begins at token h * length, not at h * capacity */
    HEADS_SIDE_BY_SIDE, /* head h begins at token h, as in q */
    KEYS_BY_TOKEN,      /* keys, values or both as [capacity, n_head, head_dim] */
    VALUES_BY_TOKEN,
    BOTH_BY_TOKEN,
    QUERY_INTERLEAVED /* q as [head_dim, n_head] */
} Variation;

/* Of the last call of plain. */
static double *weights;

static double *plain(const float *q, const float *keys, const float *values,
                     size_t heads, size_t dim, size_t capacity, size_t length,
                     Variation variation) {
    double *out = checked_alloc(heads * dim, sizeof *out);
    weights = checked_alloc(heads * capacity, sizeof *weights);
    size_t n = variation == ONE_SHORT        ? length - 1
               : variation == WHOLE_CAPACITY ? capacity
                                             : length;
    double scale = variation == NO_SCALE       ? 1
                   : variation == SCALE_BY_DIM ? 1.0 / (double)dim
                                               : 1 / sqrt((double)dim);
    if (variation == SCALE_BY_ALL_HEADS) scale /= sqrt((double)heads);
    for (size_t h = 0; h < heads; h++) {
        size_t apart = variation == HEADS_LENGTH_APART   ? length
                       : variation == HEADS_SIDE_BY_SIDE ? 1
                                                         : capacity;
        size_t step = variation == QUERY_INTERLEAVED ? heads : 1,
               query = step == 1 ? h * dim : h;
        bool keys_by_token = variation == KEYS_BY_TOKEN || variation == BOTH_BY_TOKEN,
             values_by_token =
                 variation == VALUES_BY_TOKEN || variation == BOTH_BY_TOKEN;
        double sum = 0, so_far = 0, largest = -INFINITY, *row = weights + h * capacity;
        for (size_t s = 0; s < n; s++) {
            const float *key =
                keys + (keys_by_token ? s * heads + h : h * apart + s) * dim;
            double score = 0;
            for (size_t i = 0; i < dim; i++)
                score += (double)q[query + i * step] * (double)key[i];
            row[s] = score * scale;
            largest = fmax(largest, row[s]);
        }
        for (size_t s = 0; s < n; s++)
            sum += row[s] = variation == UNIFORM ? 1 : exp(row[s] - largest);
        for (size_t s = 0; s < n; s++) {
            so_far += row[s];
            row[s] /= variation == NOT_DIVIDED   ? 1
                      : variation == RUNNING_SUM ? so_far
                                                 : sum;
            const float *value =
                values + (values_by_token ? s * heads + h : h * apart + s) * dim;
            for (size_t i = 0; i < dim; i++)
                out[h * dim + i] += row[s] * (double)value[i];
        }
    }
    return out;
}

/* One pass, where what was added so far shrinks with every larger score: here the sum
 * of weights alone does, or out alone. */
static double *online(const float *q, const float *keys, const float *values,
                      size_t heads, size_t dim, size_t capacity, size_t length,
                      bool shrink_sum) {
    double *out = checked_alloc(heads * dim, sizeof *out);
    for (size_t h = 0; h < heads; h++) {
        double largest = -INFINITY, sum = 0, *row = out + h * dim;
        for (size_t s = 0; s < length; s++) {
            const float *key = keys + (h * capacity + s) * dim,
                        *value = values + (h * capacity + s) * dim;
            double score = 0;
            for (size_t i = 0; i < dim; i++)
                score += (double)q[h * dim + i] * (double)key[i] / sqrt((double)dim);
            double shrink = score > largest ? exp(largest - score) : 1;
            largest = fmax(largest, score);
            sum = (shrink_sum ? shrink : 1) * sum + exp(score - largest);
            for (size_t i = 0; i < dim; i++)
                row[i] = (shrink_sum ? 1 : shrink) * row[i] +
                         exp(score - largest) * (double)value[i];
        }
        for (size_t i = 0; i < dim; i++) row[i] /= sum;
    }
    return out;
}

/* The tokens that the cache holds, without the room behind them; see known.h. */
static void know_step(const float *q, const float *keys, const float *values,
                      size_t heads, size_t dim, size_t capacity, size_t length) {
    float *held_keys = checked_alloc(heads * length * dim, sizeof *held_keys),
          *held_values = checked_alloc(heads * length * dim, sizeof *held_values);
    double *held_weights = checked_alloc(heads * length, sizeof *held_weights);
    plain(q, keys, values, heads, dim, capacity, length, RIGHT);
    for (size_t h = 0; h < heads; h++) {
        size_t bytes = length * dim * sizeof(float), to = h * length,
               from = h * capacity;
        memcpy(held_keys + to * dim, keys + from * dim, bytes);
        memcpy(held_values + to * dim, values + from * dim, bytes);
        memcpy(held_weights + to, weights + from, length * sizeof *weights);
    }
    AXES({"head", "n_head", heads}, {"element", "head_dim", dim},
         {"token", "length", length});
    KNOW(q, "head element");
    KNOW_AS("keys", held_keys, "head token element");
    KNOW_AS("values", held_values, "head token element");
    KNOW_AS("weights", held_weights, "head token");
    know_number("capacity", (double)capacity);
    free(held_keys);
    free(held_values);
}

static void check_step(size_t heads, size_t dim, size_t capacity, size_t length,
                       double std) {
    float *q = normal_floats(heads * dim, std, 1),
          *keys = normal_floats(heads * capacity * dim, std, 2);
    float *values = normal_floats(heads * capacity * dim, 1, 3),
          *out = nan_floats(heads * dim), *scratch = nan_floats(heads * capacity);
    attention_step(out, scratch, q, keys, values, heads, dim, capacity, length);
    know_step(q, keys, values, heads, dim, capacity, length);
#define PLAIN(variation) plain(q, keys, values, heads, dim, capacity, length, variation)
    CHECK_CLOSE(
        "out", out, PLAIN(RIGHT), heads * dim, 1e-5,
        {"the scores are not divided by sqrt(head_dim)", PLAIN(NO_SCALE)},
        {"the scores are divided by head_dim instead of its root", PLAIN(SCALE_BY_DIM)},
        {"the scores are divided by sqrt(n_head * head_dim): each head has head_dim "
         "features",
         PLAIN(SCALE_BY_ALL_HEADS)},
        {"the newest token is left out", length > 1 ? PLAIN(ONE_SHORT) : PLAIN(RIGHT)},
        {"the whole capacity is read, not the first `length` tokens",
         PLAIN(WHOLE_CAPACITY)},
        {"all weights are equal", PLAIN(UNIFORM)},
        {"the weights are not divided by their sum", PLAIN(NOT_DIVIDED)},
        {"each weight is divided by the sum as far as it has come: sum first, then "
         "divide",
         PLAIN(RUNNING_SUM)},
        {"the heads are taken to lie `length` tokens apart, they lie `capacity` apart",
         PLAIN(HEADS_LENGTH_APART)},
        {"the heads are taken to lie side by side as in q, they lie `capacity` tokens "
         "apart",
         PLAIN(HEADS_SIDE_BY_SIDE)},
        {"keys are read as [capacity, n_head, head_dim]: the heads come first",
         PLAIN(KEYS_BY_TOKEN)},
        {"values are read as [capacity, n_head, head_dim]: the heads come first",
         PLAIN(VALUES_BY_TOKEN)},
        {"keys and values are read as [capacity, n_head, head_dim]: the heads come "
         "first",
         PLAIN(BOTH_BY_TOKEN)},
        {"a larger score shrinks the sum of the weights, and not what out holds so far",
         online(q, keys, values, heads, dim, capacity, length, true)},
        {"a larger score shrinks what out holds so far, and not the sum of the weights",
         online(q, keys, values, heads, dim, capacity, length, false)},
        {"a head takes every n_head-th feature of q: it is a slice of head_dim "
         "neighbours",
         PLAIN(QUERY_INTERLEAVED)},
        {"out is added to instead of set, or not set at all",
         as_double(nan_floats(heads * dim), heads * dim)});
#undef PLAIN
}

Test(attention_step, some_tokens, .timeout = 10) {
    check_step(2, 4, 7, 5, 1);
}
Test(attention_step, one_token, .timeout = 10) {
    check_step(3, 5, 4, 1, 1);
}
Test(attention_step, full_cache, .timeout = 10) {
    check_step(2, 8, 6, 6, 1);
}
Test(attention_step, many_heads, .timeout = 10) {
    check_step(12, 64, 100, 77, 0.5);
}

/* Scores near 400: exp overflows unless the largest is taken off first. The values of
 * two tokens differ by another number in each element, so that wrong weights look like
 * nothing simpler. */
Test(attention_step, large_scores, .timeout = 10) {
    enum { DIM = 4, LENGTH = 3 };
    float q[DIM] = {20, 0, 0, 0},
          keys[LENGTH * DIM] = {40, 0, 0, 0, 39.9f, 0, 0, 0, 0, 0, 0, 0},
          scratch[LENGTH];
    float values[LENGTH * DIM] = {1, -2, 3, 7, 5, 4, -1, 8, 9, 10, 11, 12}, out[DIM];
    attention_step(out, scratch, q, keys, values, 1, DIM, LENGTH, LENGTH);
    double expected[DIM], unscaled[DIM];
    for (size_t i = 0; i < DIM; i++) {
        double less = (double)40 - (double)39.9f, first = (double)values[i],
               second = (double)values[DIM + i];
        expected[i] = second + (first - second) / (1 + exp(-less * 10));
        unscaled[i] = second + (first - second) / (1 + exp(-less * 20));
    }
    CHECK_CLOSE("out", out, expected, DIM, 1e-4,
                {"the scores are not divided by sqrt(head_dim)", unscaled},
                {"exp overflows: subtract the largest score first",
                 (double[]){NAN, NAN, NAN, NAN}});
}

/* More tokens than any array in the function could hold. */
Test(attention_step, thousands_of_tokens, .timeout = 10) {
    check_step(2, 4, 5100, 5003, 1);
}

/* Several threads compute them, over and over, and sooner or later two at the same
 * time. */
Test(attention_step, heads_have_scratch_of_their_own, .timeout = 60) {
    enum {
        MANY = 24,
        WIDTH = 4,
        LENGTH = 3001,
        TIMES = 30,
        SIZE = MANY * LENGTH * WIDTH
    };
    float *q = normal_floats(MANY * WIDTH, 1, 1), *keys = normal_floats(SIZE, 1, 2),
          *values = normal_floats(SIZE, 1, 3), *scratch = nan_floats(MANY * LENGTH);
    float first[MANY * WIDTH] = {0};
    attention_step(first, scratch, q, keys, values, MANY, WIDTH, LENGTH, LENGTH);
    for (int i = 0; i < TIMES; i++) {
        float out[MANY * WIDTH] = {0};
        attention_step(out, scratch, q, keys, values, MANY, WIDTH, LENGTH, LENGTH);
        CHECK(memcmp(out, first, sizeof first) == 0,
              "the same call gives other numbers: heads that are computed at the same "
              "time share scratch, of "
              "which `capacity` floats are for each");
    }
}

Test(attention_step, thousands_of_features, .timeout = 10) {
    check_step(2, 5003, 3, 2, 1);
}

/* Scores near -400: with a largest one that starts at 0 every exponential is 0. */
Test(attention_step, very_negative_scores, .timeout = 10) {
    enum { DIM = 4, LENGTH = 3 };
    float q[DIM] = {20, 0, 0, 0},
          keys[LENGTH * DIM] = {-40, 0, 0, 0, -40, 0, 0, 0, -60, 0, 0, 0},
          scratch[LENGTH];
    float values[LENGTH * DIM] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, out[DIM];
    attention_step(out, scratch, q, keys, values, 1, DIM, LENGTH, LENGTH);
    CHECK_CLOSE("out", out, ((double[]){3, 4, 5, 6}), DIM, 1e-4,
                {"no largest score is subtracted, or it is searched for from 0 on, and "
                 "here all are below",
                 (double[]){NAN, NAN, NAN, NAN}});
}
