/* Tests of exercise 18/gqa_step. */
#include "18-llama/gqa_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/check.h"

typedef enum {
    RIGHT,
    MODULO,        /* h % n_kv_head */
    FIRST_ALONE,   /* all heads look at the first */
    OWN_HEAD,      /* h, as if each had its own; behind the last it begins again */
    VALUES_MODULO, /* keys right, values h % n_kv_head */
    NO_SCALE,
    SCALE_BY_DIM,
    SCALE_BY_GROUP, /* sqrt(group * head_dim) */
    ONE_SHORT,
    WHOLE_CAPACITY,
    HEADS_LENGTH_APART,
    BY_TOKEN, /* the cache as [capacity, n_kv_head, head_dim] */
    UNIFORM,
    NOT_DIVIDED
} Variation;

static size_t shared(size_t h, const GroupShape *s, Variation v) {
    return v == MODULO        ? h % s->n_kv_head
           : v == FIRST_ALONE ? 0
           : v == OWN_HEAD    ? (h < s->n_kv_head ? h : s->n_kv_head - 1)
                              : h / (s->n_head / s->n_kv_head);
}

static const float *entry(const float *cache, size_t head, size_t token,
                          const GroupShape *s, Variation v) {
    size_t row = v == BY_TOKEN             ? token * s->n_kv_head + head
                 : v == HEADS_LENGTH_APART ? head * s->length + token
                                           : head * s->capacity + token;
    return cache + row * s->head_dim;
}

static void head_weights(double *weights, const float *q, const float *keys, size_t h,
                         const GroupShape *s, Variation v, size_t n) {
    double largest = -INFINITY, sum = 0, dim = (double)s->head_dim;
    double group = (double)(s->n_head / s->n_kv_head);
    double divisor = v == NO_SCALE         ? 1
                     : v == SCALE_BY_DIM   ? dim
                     : v == SCALE_BY_GROUP ? sqrt(group * dim)
                                           : sqrt(dim);
    for (size_t t = 0; t < n; t++) {
        const float *key = entry(keys, shared(h, s, v), t, s, v);
        weights[t] = 0;
        for (size_t i = 0; i < s->head_dim; i++)
            weights[t] += (double)q[h * s->head_dim + i] * (double)key[i] / divisor;
        largest = fmax(largest, weights[t]);
    }
    for (size_t t = 0; t < n; t++)
        sum += weights[t] = v == UNIFORM ? 1 : exp(weights[t] - largest);
    for (size_t t = 0; t < n; t++) weights[t] /= v == NOT_DIVIDED ? 1 : sum;
}

static double *plain(const float *q, const float *keys, const float *values,
                     const GroupShape *s, Variation v) {
    double *out = checked_alloc(s->n_head * s->head_dim, sizeof *out),
           *weights = checked_alloc(s->capacity, sizeof *weights);
    size_t n = v == ONE_SHORT && s->length > 1 ? s->length - 1
               : v == WHOLE_CAPACITY           ? s->capacity
                                               : s->length;
    for (size_t h = 0; h < s->n_head; h++) {
        head_weights(weights, q, keys, h, s, v, n);
        size_t from = v == VALUES_MODULO ? h % s->n_kv_head : shared(h, s, v);
        for (size_t t = 0; t < n; t++) {
            const float *value = entry(values, from, t, s, v);
            for (size_t i = 0; i < s->head_dim; i++)
                out[h * s->head_dim + i] += weights[t] * (double)value[i];
        }
    }
    free(weights);
    return out;
}

typedef struct {
    float *q, *keys, *values, *out, *scratch;
    size_t n;
} Case;

static Case case_of(const GroupShape *s, double std) {
    size_t cache = s->n_kv_head * s->capacity * s->head_dim,
           n = s->n_head * s->head_dim;
    return (Case){.q = normal_floats(n, std, 1),
                  .keys = normal_floats(cache, std, 2),
                  .values = normal_floats(cache, 1, 3),
                  .out = nan_floats(n),
                  .scratch = nan_floats(s->n_head * s->capacity),
                  .n = n};
}

static void check_step(GroupShape s, double std) {
    Case c = case_of(&s, std);
    gqa_step(c.out, c.scratch, c.q, c.keys, c.values, &s);
    AXES({"head", "n_head", s.n_head}, {"element", "head_dim", s.head_dim});
#define PLAIN(v) plain(c.q, c.keys, c.values, &s, v)
    CHECK_CLOSE(
        "out", c.out, PLAIN(RIGHT), c.n, 1e-5,
        {"head h looks at key head h % n_kv_head: neighbours share one, so h / group",
         PLAIN(MODULO)},
        {"all heads look at the first key head", PLAIN(FIRST_ALONE)},
        {"head h looks at key head h, as if there were as many", PLAIN(OWN_HEAD)},
        {"head h takes the keys of h / group, and the values of h % n_kv_head",
         PLAIN(VALUES_MODULO)},
        {"the scores are not divided by sqrt(head_dim)", PLAIN(NO_SCALE)},
        {"the scores are divided by head_dim instead of its root", PLAIN(SCALE_BY_DIM)},
        {"the scores are divided by sqrt(group * head_dim)", PLAIN(SCALE_BY_GROUP)},
        {"the newest token is left out", PLAIN(ONE_SHORT)},
        {"the whole capacity is read, not the first `length` tokens",
         PLAIN(WHOLE_CAPACITY)},
        {"the key heads are taken to lie `length` tokens apart, they lie `capacity` "
         "apart",
         PLAIN(HEADS_LENGTH_APART)},
        {"the cache is read as [capacity, n_kv_head, head_dim]: the heads come first",
         PLAIN(BY_TOKEN)},
        {"all weights are equal", PLAIN(UNIFORM)},
        {"the weights are not divided by their sum", PLAIN(NOT_DIVIDED)},
        {"out is added to instead of set, or not set at all",
         as_double(nan_floats(c.n), c.n)});
#undef PLAIN
}

/* heads, key heads, head_dim, capacity, length */
Test(gqa_step, groups_of_three, .timeout = 10) {
    check_step((GroupShape){6, 2, 4, 7, 5}, 1);
}
Test(gqa_step, one_key_head, .timeout = 10) {
    check_step((GroupShape){4, 1, 6, 5, 3}, 1);
}
Test(gqa_step, as_many_key_heads, .timeout = 10) {
    check_step((GroupShape){3, 3, 5, 6, 4}, 1);
}
Test(gqa_step, one_token, .timeout = 10) {
    check_step((GroupShape){6, 3, 4, 4, 1}, 1);
}
Test(gqa_step, full_cache, .timeout = 10) {
    check_step((GroupShape){8, 2, 8, 6, 6}, 1);
}
Test(gqa_step, as_in_smollm2, .timeout = 10) {
    check_step((GroupShape){9, 3, 64, 100, 77}, 0.5);
}
Test(gqa_step, thousands_of_tokens, .timeout = 10) {
    check_step((GroupShape){4, 2, 4, 5100, 5003}, 1);
}

/* Scores of hundreds: exp overflows unless the largest is taken off first, and one that
 * is searched for from 0 on is not there where all are below. */
Test(gqa_step, large_scores, .timeout = 10) {
    for (int sign = -1; sign <= 1; sign += 2) {
        enum { DIM = 4 };
        GroupShape s = {2, 1, DIM, 3, 2};
        float large = 40 * (float)sign, q[2 * DIM] = {20, 0, 0, 0, 20, 0, 0, 0},
              keys[3 * DIM] = {large, 0, 0, 0, large, 0, 0, 0};
        float values[3 * DIM] = {1, 2, 3, 4, 5, 6, 7, 8}, scratch[6], out[2 * DIM];
        gqa_step(out, scratch, q, keys, values, &s);
        CHECK_CLOSE("out", out, ((double[]){3, 4, 5, 6, 3, 4, 5, 6}), 2 * DIM, 1e-4,
                    {"exp overflows, or all its results are 0: subtract the largest "
                     "score first, which may be below 0",
                     ((double[]){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN})});
    }
}

/* Several threads compute them, over and over. */
Test(gqa_step, heads_have_scratch_of_their_own, .timeout = 60) {
    GroupShape s = {24, 6, 4, 3001, 3001};
    Case c = case_of(&s, 1);
    float *first = nan_floats(c.n);
    gqa_step(first, c.scratch, c.q, c.keys, c.values, &s);
    for (int i = 0; i < 30; i++) {
        gqa_step(c.out, c.scratch, c.q, c.keys, c.values, &s);
        CHECK(memcmp(c.out, first, c.n * sizeof *first) == 0,
              "the same call gives other numbers: heads that are computed at the same "
              "time share scratch, of which `capacity` floats are for each");
    }
}
