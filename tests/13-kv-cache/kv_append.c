/* Tests of exercise 13/kv_append. */
#include "13-kv-cache/kv_append.h"

#include <stdio.h>
#include <string.h>

#include "check/check.h"

enum { HEADS = 2, DIM = 3, CAPACITY = 5, STRIDE = 20 };

/* Head h's token t, element i, is 100 h + 10 t + i; what was never written is -1. */
static float value_of(size_t h, size_t t, size_t i) {
    return (float)(100 * h + 10 * t + i);
}

/* Where a number of head h stands in the cache, in words; NULL if nowhere. */
static const char *found_at(const float *cache, float wanted, size_t h) {
    static char words[160];
    for (size_t j = 0; j < HEADS * CAPACITY * DIM; j++) {
        if (cache[j] != wanted) continue;
        size_t head = j / DIM / CAPACITY;
        snprintf(
            words, sizeof words, "it stands at head %zu, token %zu, element %zu; %s",
            head, j / DIM % CAPACITY, j % DIM,
            head == h
                ? "new tokens go behind the `length` that are held, head_dim floats "
                  "apart"
                : "the heads lie `capacity` tokens apart, the tokens head_dim floats");
        return words;
    }
    return NULL;
}

/* The part of the new tokens that was not written, in words: numbers of this token, the
 * token, its head, or all. */
static const char *missing(const float *cache, size_t h, size_t t, size_t held,
                           size_t length) {
    static char words[100];
    size_t of_token = 0, of_head = 0, of_all = 0;
    for (size_t j = 0; j < HEADS * CAPACITY * DIM; j++) {
        size_t token = j / DIM % CAPACITY;
        bool there = cache[j] != -1.0f, here = j / DIM / CAPACITY == h,
             fresh = token >= held && token < length;
        of_token += there && here && token == t;
        of_head += there && here && fresh;
        of_all += there && fresh;
    }
    if (of_token > 0) {
        snprintf(words, sizeof words,
                 "it was not written, and %zu of this token's %d numbers were",
                 of_token, DIM);
        return words;
    }
    if (of_head > 0)
        return "it was not written, nor is anything of this token: each head holds all "
               "new tokens";
    if (of_all > 0)
        return "it was not written, nor is anything of this head, where another head "
               "has new tokens";
    return "it was not written, nor is anything else of this call, which brings n_new "
           "tokens, behind "
           "`length`";
}

/* The origin of a wrong number, in words; `held` tokens were there before the last
 * call. */
static const char *origin(const float *cache, float got, size_t h, size_t t, size_t i,
                          size_t held, size_t length) {
    static char words[200];
    const char *instead = found_at(cache, value_of(h, t, i), h);
    if (got == -1.0f && instead) return instead;
    if (got == -1.0f) return missing(cache, h, t, held, length);
    float part = -1.0f, whole = value_of(h, t, i);
    for (size_t bytes = 1; t < length && bytes < sizeof part; bytes++) {
        memcpy(&part, &whole, bytes);
        if (got == part)
            return "only some bytes of it are written: memcpy counts bytes, not floats";
    }
    if (got == 7777.0f)
        return "it comes from another part of the row; the rows lie `stride` floats "
               "apart";
    size_t number = got >= 0 && got < 1000 ? (size_t)got : 0, head = number / 100,
           token = number % 100 / 10;
    if (got != (float)number || head >= HEADS || token >= CAPACITY ||
        number % 10 >= DIM)
        return t >= length ? "something was written behind the new tokens, and it is "
                             "no number of any of them"
                           : "it is no number of any token: does it come from outside "
                             "of fresh?";
    if (t >= length) {
        snprintf(words, sizeof words,
                 "something was written behind the new tokens: what belongs to head "
                 "%zu, token %zu",
                 head, token);
        return words;
    }
    if (head != h) return "it belongs to another head";
    if (token > t && t >= held)
        return "a later token stands here: those of one call are stored in another "
               "order, or a copy of more "
               "than head_dim floats ran over it";
    if (token > t)
        return "a later token stands here; new tokens go behind the `length` that are "
               "held";
    snprintf(words, sizeof words, "it is element %zu of token %zu", number % 10, token);
    return words;
}

static void check_cache(const float *cache, size_t held, size_t length) {
    for (size_t h = 0; h < HEADS; h++) {
        for (size_t t = 0; t < CAPACITY; t++) {
            for (size_t i = 0; i < DIM; i++) {
                float got = cache[(h * CAPACITY + t) * DIM + i],
                      expected = t < length ? value_of(h, t, i) : -1.0f;
                CHECK(got == expected,
                      "after %zu tokens, head %zu, token %zu, element %zu is %g, "
                      "expected %g: %s",
                      length, h, t, i, (double)got, (double)expected,
                      origin(cache, got, h, t, i, held, length));
            }
        }
    }
}

static void fill(float *fresh, size_t first, size_t n) {
    for (size_t t = 0; t < n; t++) {
        /* the other parts of a q|k|v row */
        for (size_t j = 0; j < STRIDE; j++) fresh[t * STRIDE + j] = 7777.0f;
        for (size_t h = 0; h < HEADS; h++) {
            for (size_t i = 0; i < DIM; i++)
                fresh[t * STRIDE + h * DIM + i] = value_of(h, first + t, i);
        }
    }
}

static void append(float *cache, size_t length, size_t n) {
    float *fresh = equal_floats(n * STRIDE, 0);
    fill(fresh, length, n);
    crash_means("more is read than the n_new rows of fresh, or something is written "
                "behind the cache");
    kv_append(cache, fresh, n, STRIDE, HEADS, DIM, CAPACITY, length);
    free(fresh);
}

static float *empty(void) {
    return equal_floats(HEADS * CAPACITY * DIM, -1);
}

Test(kv_append, one_by_one, .timeout = 10) {
    float *cache = empty();
    for (size_t t = 0; t < CAPACITY; t++) {
        append(cache, t, 1);
        check_cache(cache, t, t + 1);
    }
    free(cache);
}

Test(kv_append, a_prompt_and_then_one, .timeout = 10) {
    float *cache = empty();
    append(cache, 0, 3);
    check_cache(cache, 0, 3);
    append(cache, 3, 1);
    check_cache(cache, 3, 4);
    free(cache);
}

Test(kv_append, full_at_once, .timeout = 10) {
    float *cache = empty();
    append(cache, 0, CAPACITY);
    check_cache(cache, 0, CAPACITY);
    free(cache);
}

/* Thousands of tokens at a time, behind thousands. */
Test(kv_append, thousands, .timeout = 10) {
    enum { LONG = 10100, HELD = 5003, NEW = 5005, WIDTH = HEADS * DIM };
    float *cache = equal_floats(HEADS * LONG * DIM, -1),
          *fresh = normal_floats(NEW * WIDTH, 1, 1);
    double *expected = as_double(cache, HEADS * LONG * DIM);
    for (size_t h = 0; h < HEADS; h++) {
        for (size_t t = 0; t < NEW; t++) {
            for (size_t i = 0; i < DIM; i++)
                expected[(h * LONG + HELD + t) * DIM + i] =
                    (double)fresh[t * WIDTH + h * DIM + i];
        }
    }
    double *in_bytes = as_double(cache, HEADS * LONG * DIM);
    for (size_t n = 0; n < HEADS * NEW * DIM; n++) {
        size_t h = n / NEW / DIM, t = n / DIM % NEW, i = n % DIM,
               at = (h * LONG + HELD + t) * DIM;
        float number = -1;
        size_t bytes = DIM > i * sizeof number ? DIM - i * sizeof number : 0;
        memcpy(&number, &fresh[t * WIDTH + h * DIM + i],
               bytes < sizeof number ? bytes : sizeof number);
        in_bytes[at + i] = (double)number;
    }
    kv_append(cache, fresh, NEW, WIDTH, HEADS, DIM, LONG, HELD);
    AXES({"head", "n_head", HEADS}, {"token", "capacity", LONG},
         {"element", "head_dim", DIM});
    know_number("length", HELD);
    know_number("n_new", NEW);
    CHECK_CLOSE("the cache of two heads", cache, expected, HEADS * LONG * DIM, 1e-7,
                {"memcpy copies head_dim bytes, not head_dim floats", in_bytes});
}

Test(kv_append, thousands_of_heads, .timeout = 10) {
    enum { MANY = 5003 };
    float *cache = equal_floats(2 * MANY, -1), *fresh = normal_floats(MANY, 1, 2);
    double *expected = as_double(cache, 2 * MANY);
    for (size_t h = 0; h < MANY; h++) expected[2 * h + 1] = (double)fresh[h];
    kv_append(cache, fresh, 1, MANY, MANY, 1, 2, 1);
    AXES({"head", "n_head", MANY}, {"token", "capacity", 2});
    KNOW(fresh, "head");
    CHECK_CLOSE("the second token of every head", cache, expected, 2 * MANY, 1e-7);
}
