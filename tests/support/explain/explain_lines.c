/* One factor or one constant a row, or a column, and the sums of rows: see wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "check/wrong.h"

/* Numbers that are wrong by a multiple of `base`, another multiple for each index along
 * axis k. */
typedef struct {
    size_t k;
    const double *base;
    double *multiples; /* by index; 0 where all is right */
    size_t n_wrong;    /* of these */
} Lines;

static void fit(Wrong *w, Lines *lines) {
    size_t size = w->axes[lines->k].size;
    double *below = checked_alloc(size, sizeof *below);
    bool *is_wrong = checked_alloc(size, sizeof *is_wrong);
    for (size_t i = 0; i < w->n; i++) {
        size_t line = index_along(w, i, lines->k);
        lines->multiples[line] += lines->base[i] * (w->got[i] - w->expected[i]);
        below[line] += lines->base[i] * lines->base[i];
        is_wrong[line] |= w->is_wrong[i];
    }
    lines->n_wrong = 0;
    for (size_t r = 0; r < size; r++) {
        lines->multiples[r] =
            is_wrong[r] && below[r] > 0 ? lines->multiples[r] / below[r] : 0;
        lines->n_wrong += is_wrong[r];
    }
    for (size_t i = 0; i < w->n; i++) {
        w->predicted[i] =
            w->expected[i] +
            lines->multiples[index_along(w, i, lines->k)] * lines->base[i];
    }
    free(below);
    free(is_wrong);
}

/* The known array over this axis alone that the values are, or 1 over them. */
static void name_of_values(const Wrong *w, size_t k, const double *values,
                           char words[WORDS]) {
    *words = 0;
    for (size_t a = 0; a < known_facts()->n_arrays; a++) {
        const Known *known = &known_facts()->arrays[a];
        if (!known->values || known->n_axes != 1 || known->axes[0] != w->labels[k])
            continue;
        bool same = true, inverse = true, negative = true;
        for (size_t r = 0; r < known->n; r++) {
            double allowed = 1e-3 * fmax(fabs(values[r]), 1e-30), x = known->values[r];
            same &= fabs(values[r] - x) <= allowed;
            negative &= fabs(values[r] + x) <= allowed;
            inverse &= fabs(values[r] - 1 / x) <= allowed;
        }
        if (same || inverse || negative) {
            snprintf(words, WORDS, ": it is %s%s",
                     same       ? ""
                     : negative ? "-"
                                : "1 / ",
                     known->name);
            return;
        }
    }
}

/* "; row 0 is right: ..." where only the first, or the last, is right. */
static void used_for_all(const Wrong *w, const Lines *lines, char words[WORDS]) {
    size_t size = w->axes[lines->k].size;
    bool first = lines->multiples[0] == 0, last = lines->multiples[size - 1] == 0;
    *words = 0;
    if (lines->n_wrong != size - 1 || size < 3 || !(first || last)) return;
    /* Of few lines, one is right by chance. */
    snprintf(words, WORDS, "; %s %zu is right%s", w->axes[lines->k].index,
             first_along(w, lines->k) + (first ? 0 : size - 1),
             size < 5 ? ""
                      : ": is something of it used for the others, or carried on?");
}

static bool lines_of(Wrong *w, size_t k, const double *base, const char *name) {
    size_t size = w->axes[k].size;
    Lines lines = {
        .k = k, .base = base, .multiples = checked_alloc(size, sizeof(double))};
    fit(w, &lines);
    /* As many claims as there are lines; with few numbers in each, most arrays would
     * fit. */
    double parameters = 1.5 * (double)lines.n_wrong + 1;
    const char *index = w->axes[k].index;
    char called[WORDS], reason[WORDS];
    used_for_all(w, &lines, reason);
    double one = strcmp(name, "itself") == 0 ? 1 : 0;
    for (size_t r = 0; r < size; r++) lines.multiples[r] += one;
    name_of_values(w, k, lines.multiples, called);
    bool found =
        one != 0 ? explains(w, w->predicted, parameters,
                            "is wrong by one factor a %s (%.3g, %.3g ...)%s%s", index,
                            lines.multiples[0], lines.multiples[1], called, reason)
        : strcmp(name, "1") == 0
            ? explains(w, w->predicted, parameters,
                       "is wrong by one constant a %s (%.3g, %.3g ...)%s%s", index,
                       lines.multiples[0], lines.multiples[1], called, reason)
            : explains(w, w->predicted, parameters,
                       "is off by a multiple of %s, one a %s: the part along %s is "
                       "wrong%s%s",
                       name, index, name, called, reason);
    free(lines.multiples);
    return found;
}

static bool all_axes(Wrong *w, const double *base, const char *name) {
    for (size_t k = 0; k < w->n_axes && w->n_axes > 1; k++) {
        if (w->axes[k].size > 1 && lines_of(w, k, base, name)) return true;
    }
    return false;
}

/* Rows that should all have one sum, as weights have, and have another: a fact about
 * wrong numbers of which nothing simpler is known. */
static bool line_sums(Wrong *w) {
    size_t size = w->axes[w->n_axes - 1].size;
    if (w->n_axes < 2 || size < 2) return false;
    double first = 0, right = 0, allowed = 20 * w->tolerance;
    for (size_t start = 0; start < w->n; start += size) {
        double sum = 0, expected = 0;
        for (size_t i = start; i < start + size; i++) {
            sum += w->got[i];
            expected += w->expected[i];
        }
        if (start == 0) {
            first = sum;
            right = expected;
        }
        if (fabs(expected - right) > allowed * fabs(right) ||
            fabs(sum - first) > allowed * fabs(first))
            return false;
    }
    double times = first > right ? first / right : right / first;
    if (right <= 0 || first <= 0 || times < 1 + allowed) return false;
    const char *name = number_in_words(times, allowed);
    snprintf(w->explanation->words, sizeof w->explanation->words,
             "the numbers of each %s sum to %.6g, expected %.6g%s%s%s%s",
             w->axes[w->n_axes - 2].index, first, right, name ? ": too " : "",
             name ? first > right ? "large" : "small" : "",
             name ? " by the factor " : "", name ? name : "");
    return w->explanation->pattern = true;
}

bool describe_lines(Wrong *w) {
    double *ones = checked_alloc(w->n, sizeof *ones);
    for (size_t i = 0; i < w->n; i++) ones[i] = 1;
    bool found = all_axes(w, w->expected, "itself") || all_axes(w, ones, "1");
    for (size_t a = 0; a < known_facts()->n_arrays && !found; a++) {
        double *base = spread(w, &known_facts()->arrays[a]);
        found = base && all_axes(w, base, known_facts()->arrays[a].name);
        free(base);
    }
    free(ones);
    return found || line_sums(w);
}
