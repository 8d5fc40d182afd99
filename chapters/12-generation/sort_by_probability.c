/* Tokens sorted by probability: see sort_by_probability.h.
 *
 * The probabilities are cut into more ranges than there are tokens, and each token
 * goes to the others of its range. Few are left in most ranges, and those are sorted by
 * comparing; a range with many is cut again. */
#include "12-generation/sort_by_probability.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { MOST_RANGES = 1 << 16, FEW = 16 };

/* Which range a probability is in; 0 is that of the largest. */
typedef struct {
    uint64_t largest;
    int shift;
} Ranges;

/* Numbers that are not negative are in the order of their bits. */
static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static size_t range_of(const Ranges *r, double probability) {
    return (size_t)((r->largest - bits_of(probability)) >> r->shift);
}

static Ranges ranges_of(const TokenProbability *tokens, size_t n, size_t *n_ranges) {
    uint64_t least = bits_of(tokens[0].probability), largest = least;
    for (size_t i = 1; i < n; i++) {
        uint64_t bits = bits_of(tokens[i].probability);
        least = bits < least ? bits : least;
        largest = bits > largest ? bits : largest;
    }
    Ranges r = {.largest = largest};
    size_t most = 2 * n < MOST_RANGES ? 2 * n : MOST_RANGES;
    while ((largest - least) >> r.shift >= most) r.shift++;
    *n_ranges = (size_t)((largest - least) >> r.shift) + 1;
    return r;
}

static void sort_few(TokenProbability *tokens, size_t n) {
    for (size_t i = 1; i < n; i++) {
        TokenProbability moved = tokens[i];
        size_t to = i;
        for (; to > 0 && tokens[to - 1].probability < moved.probability; to--)
            tokens[to] = tokens[to - 1];
        tokens[to] = moved;
    }
}

/* room [n] and counts [MOST_RANGES] are to work in. */
static void sort(TokenProbability *tokens, size_t n, TokenProbability *room,
                 uint32_t *counts) {
    size_t n_ranges;
    Ranges r = ranges_of(tokens, n, &n_ranges);
    if (n_ranges == 1 && r.shift == 0) return; /* all are equal */
    memset(counts, 0, n_ranges * sizeof *counts);
    for (size_t i = 0; i < n; i++) counts[range_of(&r, tokens[i].probability)]++;
    uint32_t begin = 0;
    for (size_t k = 0; k < n_ranges; k++) {
        uint32_t count = counts[k];
        counts[k] = begin;
        begin += count;
    }
    for (size_t i = 0; i < n; i++)
        room[counts[range_of(&r, tokens[i].probability)]++] = tokens[i];
    memcpy(tokens, room, n * sizeof *tokens);
    for (size_t from = 0, to; from < n; from = to) {
        size_t range = range_of(&r, tokens[from].probability);
        for (to = from + 1; to < n; to++)
            if (range_of(&r, tokens[to].probability) != range) break;
        if (to - from <= FEW)
            sort_few(tokens + from, to - from);
        else
            sort(tokens + from, to - from, room, counts);
    }
}

void sort_by_probability(TokenProbability *tokens, size_t n) {
    if (n <= FEW) {
        sort_few(tokens, n);
        return;
    }
    TokenProbability *room = checked_alloc(n, sizeof *room);
    uint32_t *counts = checked_alloc(MOST_RANGES, sizeof *counts);
    sort(tokens, n, room, counts);
    free(room);
    free(counts);
}
