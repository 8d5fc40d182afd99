/* Tests of exercise 13/sink_window. */
#include "13-kv-cache/sink_window.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"

enum { NOBODY = -1, MAX_SLOTS = 16 };

/* Positions put into slots one after the other: after each, exactly the sinks and the
 * last `window` are there, in the first `held` slots. */
static void check_slots(size_t n_sink, size_t window, size_t n_tokens) {
    int holder[MAX_SLOTS];
    size_t slots = n_sink + window;
    for (size_t s = 0; s < MAX_SLOTS; s++) holder[s] = NOBODY;
    for (size_t t = 0; t < n_tokens; t++) {
        size_t slot = sink_slot(t, n_sink, window),
               held = sink_held(t + 1, n_sink, window);
        CHECK(slot < slots,
              "%zu sinks, window %zu: position %zu goes to slot %zu, there are %zu",
              n_sink, window, t, slot, slots);
        CHECK(t < n_sink || slot >= n_sink,
              "%zu sinks, window %zu: position %zu takes slot %zu, the place of a sink",
              n_sink, window, t, slot);
        holder[slot] = (int)t;
        CHECK(held <= slots,
              "%zu sinks, window %zu: %zu slots held after %zu tokens, there are %zu",
              n_sink, window, held, t + 1, slots);
        for (size_t p = 0; p <= t; p++) {
            bool visible = p < n_sink || p + window > t, found = false;
            for (size_t s = 0; s < held; s++) found = found || holder[s] == (int)p;
            CHECK(found || !visible,
                  "%zu sinks, window %zu: position %zu is not among the %zu slots held "
                  "after position %zu%s",
                  n_sink, window, p, held, t,
                  p < n_sink ? ": the sinks must stay"
                  : p == t   ? ": it is the newest"
                             : ": the window lost it too early");
            CHECK(
                !found || visible,
                "%zu sinks, window %zu: position %zu is still held after position %zu",
                n_sink, window, p, t);
        }
        for (size_t s = 0; s < held; s++)
            CHECK(holder[s] != NOBODY,
                  "slot %zu counts as held before a token was there", s);
    }
}

Test(sink_window, slots, .timeout = 10) {
    check_slots(4, 3, 25);
    check_slots(1, 1, 10);
    check_slots(2, 5, 30);
    check_slots(3, 8, 40);
}

Test(sink_window, window_without_sinks, .timeout = 10) {
    check_slots(0, 4, 20);
    check_slots(0, 1, 5);
}

/* --- the step --- */

typedef enum {
    RIGHT,
    NO_SINKS,
    SINKS_ONLY_IN_WINDOW,
    EVERYTHING,
    NEWEST_MISSING,
    VALUES_ARE_KEYS
} Variation;

enum { HEADS = 2, DIM = 4, ROW = HEADS * DIM, TOKENS = 14 };

/* Kept too late, or not counted: the numbers do not say which. */
static const char newest_is_blind[] = "the newest token does not see itself: keep it "
                                      "before you look, and count it among those held";

static bool sees(size_t t, size_t p, size_t n_sink, size_t window,
                 Variation variation) {
    bool in_window = p + window > t;
    switch (variation) {
    case NO_SINKS:
        return in_window;
    case SINKS_ONLY_IN_WINDOW:
        return p + window + n_sink > t;
    case EVERYTHING:
        return true;
    case NEWEST_MISSING:
        return (p < n_sink || in_window) && p < t;
    default:
        return p < n_sink || in_window;
    }
}

/* The attention of the token at `t` over the tokens that it may see, in double. */
static double *plain(const float *qkv, size_t t, size_t n_sink, size_t window,
                     Variation variation) {
    double *out = checked_alloc(ROW, sizeof *out);
    for (size_t h = 0; h < HEADS; h++) {
        double weights[TOKENS] = {0}, sum = 0;
        for (size_t p = 0; p <= t; p++) {
            if (!sees(t, p, n_sink, window, variation)) continue;
            double score = 0;
            for (size_t i = 0; i < DIM; i++)
                score += (double)qkv[t * 3 * ROW + h * DIM + i] *
                         (double)qkv[(p * 3 + 1) * ROW + h * DIM + i];
            sum += weights[p] = exp(score / sqrt((double)DIM));
        }
        size_t part = variation == VALUES_ARE_KEYS ? 1 : 2;
        for (size_t p = 0; p <= t; p++) {
            for (size_t i = 0; i < DIM && weights[p] > 0; i++)
                out[h * DIM + i] +=
                    weights[p] / sum * (double)qkv[(p * 3 + part) * ROW + h * DIM + i];
        }
    }
    return out;
}

static void check_steps(size_t n_sink, size_t window) {
    size_t slots = n_sink + window;
    float *qkv = normal_floats(TOKENS * 3 * ROW, 1, 4),
          *keys = nan_floats(HEADS * slots * DIM),
          *values = nan_floats(HEADS * slots * DIM),
          *scratch = nan_floats(HEADS * slots);
    for (size_t t = 0; t < TOKENS; t++) {
        float *out = nan_floats(ROW);
        sink_step(out, scratch, keys, values, qkv + t * 3 * ROW, t, HEADS, DIM, n_sink,
                  window);
        AXES({"head", "n_head", HEADS}, {"element", "head_dim", DIM});
        KNOW_AS("q", qkv + t * 3 * ROW, "head element");
        KNOW_AS("k", qkv + (t * 3 + 1) * ROW, "head element");
        KNOW_AS("v", qkv + (t * 3 + 2) * ROW, "head element");
        if (t > 0)
            KNOW_AS("out of the token before", plain(qkv, t - 1, n_sink, window, RIGHT),
                    "head element");
#define PLAIN(variation) plain(qkv, t, n_sink, window, variation)
        double *lost_head = PLAIN(RIGHT);
        for (size_t i = DIM; i < ROW; i++) lost_head[i] = NAN;
        double *blind = PLAIN(RIGHT); /* where nothing is seen, 0 / 0 */
        for (size_t i = 0; i < ROW && t == 0; i++) blind[i] = NAN;
        double *empty = t + 1 < slots ? as_double(nan_floats(ROW), ROW) : PLAIN(RIGHT);
        CHECK_CLOSE(
            "out", out, PLAIN(RIGHT), ROW, 1e-5,
            {"the sinks are forgotten", PLAIN(NO_SINKS)},
            {"the last n_sink + window tokens are seen, not the first n_sink and the "
             "last window",
             PLAIN(SINKS_ONLY_IN_WINDOW)},
            {"nothing is ever forgotten", PLAIN(EVERYTHING)},
            {newest_is_blind, PLAIN(NEWEST_MISSING)}, {newest_is_blind, blind},
            {"slots are read that hold no token yet", empty},
            {"the keys are stored in the place of the values", PLAIN(VALUES_ARE_KEYS)},
            {"head 1 looks where nothing was kept: capacity is n_sink + window "
             "everywhere",
             lost_head});
#undef PLAIN
        free(out);
    }
}

/* Which of the numbers of positions 0 to t this is, in words. */
static const char *number_in_words(float x, const float *qkv, size_t t) {
    static const char *const parts[] = {"query", "key", "value"};
    static char words[80];
    for (size_t i = 0; i < (t + 1) * 3 * ROW; i++) {
        if (qkv[i] != x) continue;
        snprintf(words, sizeof words, "the %s of head %zu of position %zu",
                 parts[i / ROW % 3], i % ROW / DIM, i / ROW / 3);
        return words;
    }
    return is_start_nan((double)x) ? "nothing" : "other numbers";
}

/* The keys, or the values, that the steps have kept: each in its slot, the newest
 * first. */
static void check_kept(const char *what, const float *kept, const float *qkv, size_t t,
                       size_t part, size_t n_sink, size_t window) {
    for (size_t p = t + 1; p-- > 0;) {
        size_t slot = p < n_sink ? p : n_sink + (p - n_sink) % window;
        if (p >= n_sink && p + window <= t) continue; /* forgotten */
        for (size_t j = 0; j < ROW; j++) {
            size_t at = (j / DIM * (n_sink + window) + slot) * DIM + j % DIM;
            CHECK(kept[at] == qkv[(p * 3 + part) * ROW + j],
                  "%zu sinks, window %zu: after position %zu, slot %zu of head %zu of "
                  "the %s holds %s, "
                  "expected "
                  "those of position %zu",
                  n_sink, window, t, slot, j / DIM, what,
                  number_in_words(kept[at], qkv, t), p);
        }
    }
}

Test(sink_window, keys_and_values_in_their_slots, .timeout = 10) {
    enum { SINKS = 2, WINDOW = 3, SLOTS = SINKS + WINDOW };
    float *qkv = normal_floats(TOKENS * 3 * ROW, 1, 4),
          *keys = nan_floats(HEADS * SLOTS * DIM),
          *values = nan_floats(HEADS * SLOTS * DIM),
          *scratch = nan_floats(HEADS * SLOTS), out[ROW];
    for (size_t t = 0; t < TOKENS; t++) {
        sink_step(out, scratch, keys, values, qkv + t * 3 * ROW, t, HEADS, DIM, SINKS,
                  WINDOW);
        check_kept("keys", keys, qkv, t, 1, SINKS, WINDOW);
        check_kept("values", values, qkv, t, 2, SINKS, WINDOW);
    }
}

Test(sink_window, steps, .timeout = 10) {
    check_steps(2, 3);
    check_steps(1, 4);
}

Test(sink_window, steps_without_sinks, .timeout = 10) {
    check_steps(0, 3);
}

Test(sink_window, steps_that_fit, .timeout = 10) {
    check_steps(4, TOKENS - 4);
}

/* --- one step of many heads, features or slots --- */

typedef struct {
    size_t n_head, head_dim, slots;
} CacheSize;

/* The attention of `head` over slots that are all held, in double. */
static void plain_head(double *out, const float *q, const float *keys,
                       const float *values, CacheSize s, size_t head) {
    double *weights = checked_alloc(s.slots, sizeof *weights), sum = 0;
    for (size_t slot = 0; slot < s.slots; slot++) {
        size_t start = (head * s.slots + slot) * s.head_dim;
        double score = 0;
        for (size_t i = 0; i < s.head_dim; i++)
            score += (double)q[head * s.head_dim + i] * (double)keys[start + i];
        sum += weights[slot] = exp(score / sqrt((double)s.head_dim));
    }
    for (size_t slot = 0; slot < s.slots; slot++) {
        for (size_t i = 0; i < s.head_dim; i++)
            out[head * s.head_dim + i] +=
                weights[slot] / sum *
                (double)values[(head * s.slots + slot) * s.head_dim + i];
    }
    free(weights);
}

/* The full cache takes in the token at `position`. */
static void check_large(size_t n_head, size_t head_dim, size_t n_sink, size_t window,
                        size_t position) {
    CacheSize s = {n_head, head_dim, n_sink + window};
    size_t row = n_head * head_dim, all = row * s.slots,
           slot = n_sink + (position - n_sink) % window;
    float *keys = normal_floats(all, 1, 5), *values = normal_floats(all, 1, 6),
          *qkv = normal_floats(3 * row, 1, 7), *out = nan_floats(row),
          *scratch = nan_floats(n_head * s.slots);
    float *keys_after = normal_floats(all, 1, 5),
          *values_after = normal_floats(all, 1, 6);
    double *expected = checked_alloc(row, sizeof *expected);
    for (size_t h = 0; h < n_head; h++) {
        for (size_t i = 0; i < head_dim; i++) {
            keys_after[(h * s.slots + slot) * head_dim + i] =
                qkv[row + h * head_dim + i];
            values_after[(h * s.slots + slot) * head_dim + i] =
                qkv[2 * row + h * head_dim + i];
        }
        plain_head(expected, qkv, keys_after, values_after, s, h);
    }
    sink_step(out, scratch, keys, values, qkv, position, n_head, head_dim, n_sink,
              window);
    AXES({"head", "heads", n_head}, {"slot", "slots", s.slots},
         {"feature", "head_dim", head_dim});
    CHECK_CLOSE("the keys that are kept", keys, as_double(keys_after, all), all, 1e-7);
    CHECK_CLOSE("the values that are kept", values, as_double(values_after, all), all,
                1e-7);
    CHECK_CLOSE("out", out, expected, row, 1e-5);
}

Test(sink_window, thousands, .timeout = 10) {
    check_large(2, 2, 4100, 4200, 12497); /* that token's slot is one of the last */
    check_large(5003, 1, 1, 2, 5);
    check_large(2, 5003, 1, 2, 5);
}
