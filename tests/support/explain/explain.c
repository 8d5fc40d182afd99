/* Wrong numbers in words: see explain.h. */
#include "explain/explain.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "check/wrong.h"
#include "math/fit.h"

/* From simple to complex. */
static bool (*const descriptions[])(Wrong *w) = {
    describe_whole, describe_places, describe_by_known, describe_sums, describe_lines};

size_t index_along(const Wrong *w, size_t i, size_t k) {
    for (size_t j = w->n_axes - 1; j > k; j--) i /= w->axes[j].size;
    return i % w->axes[k].size;
}

size_t first_along(const Wrong *w, size_t k) {
    return w->labels[k] == UNKNOWN_AXIS ? 0 : known_facts()->first[w->labels[k]];
}

double largest_wrong(const Wrong *w, const double *x, double least) {
    for (size_t k = 0; k < w->n_wrong; k++) {
        if (isfinite(x[w->wrong[k]])) least = larger(least, fabs(x[w->wrong[k]]));
    }
    return least;
}

static double largest_of(const double *x, size_t n) {
    double scale = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(x[i])) scale = larger(scale, fabs(x[i]));
    }
    return scale;
}

/* How much a wrong number that is predicted to within `allowed` says: 1, unless it is
 * hardly wrong at all and most predictions would fit. */
static double evidence(double error, double allowed) {
    double digits = log10(fabs(error) / allowed);
    return digits > 2 ? 1 : digits > 0 ? digits / 2 : 0;
}

/* Rounding is relative to the largest number that is compared; a gradient's also to
 * what it started with. */
static double rounding(const Wrong *w, const double *predicted) {
    return 2 * w->tolerance * largest_wrong(w, predicted, w->largest);
}

bool holds_everywhere(const Wrong *w, const double *predicted) {
    double allowed = rounding(w, predicted);
    for (size_t i = 0; i < w->n; i++) {
        if (!isnan(predicted[i]) && !w->is_wrong[i] &&
            !(fabs(w->got[i] - predicted[i]) <= allowed))
            return false;
    }
    return true;
}

bool explains(Wrong *w, const double *predicted, double parameters, const char *format,
              ...) {
    double allowed = rounding(w, predicted), weight = 0;
    size_t silent = 0;
    for (size_t k = 0; k < w->n_wrong; k++) {
        size_t i = w->wrong[k];
        silent += isnan(predicted[i]);
        if (isnan(predicted[i])) continue;
        if (!(fabs(w->got[i] - predicted[i]) <= allowed)) return false;
        weight += evidence(w->got[i] - w->expected[i], allowed);
    }
    if (weight < parameters + 1 || silent > w->n_wrong / 4) return false;
    char place[WORDS] = "", predicate[WORDS];
    bool all = holds_everywhere(w, predicted), located = !all && where_wrong(w, place);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(predicate, sizeof predicate, format, arguments);
    va_end(arguments);
    /* One number alone is what several mistakes make of it. */
    const char *who = w->n == 1 ? "perhaps it"
                      : all     ? "every number"
                                : "every wrong number";
    snprintf(w->explanation->words, sizeof w->explanation->words, "%s%s%s %s", place,
             located ? "; " : "", who, predicate);
    w->explanation->pattern = true;
    return true;
}

double *spread(const Wrong *w, const Known *known) {
    if (!known->values) return NULL;
    size_t stride[MAX_AXES] = {0}, step = 1, found = 0;
    for (size_t j = known->n_axes; j-- > 0;) {
        for (size_t k = 0; k < w->n_axes; k++) {
            if (w->labels[k] == known->axes[j]) {
                stride[k] = step;
                found++;
            }
        }
        step *= known_facts()->axes[known->axes[j]].size;
    }
    if (found != known->n_axes) return NULL;
    double *values = checked_alloc(w->n, sizeof *values);
    for (size_t i = 0; i < w->n; i++) {
        size_t at = 0;
        for (size_t k = 0; k < w->n_axes; k++) at += index_along(w, i, k) * stride[k];
        values[i] = known->values[at];
    }
    return values;
}

/* The axes of what is compared: those of its name, else one. */
static void take_axes(Wrong *w, const char *what) {
    const Known *shape = known_shape_of(what, w->n);
    w->n_axes = 0;
    for (size_t k = 0; shape && k < shape->n_axes; k++) {
        w->labels[w->n_axes] = shape->axes[k];
        w->axes[w->n_axes++] = known_facts()->axes[shape->axes[k]];
    }
    /* No array has this size, but one axis: of all that is known, it is the
     * likeliest. */
    for (size_t k = 0; k < known_facts()->n_axes && w->n_axes == 0 && w->n > 1; k++) {
        if (known_facts()->axes[k].size == w->n) {
            w->axes[0] = known_facts()->axes[k];
            w->labels[0] = k;
            w->n_axes = 1;
        }
    }
    if (w->n_axes > 0) return;
    w->axes[0] = (Axis){"element", "n", w->n};
    w->labels[0] = UNKNOWN_AXIS;
    w->n_axes = 1;
}

void element_in_words(const Wrong *w, size_t i, char words[WORDS]) {
    size_t used = 0;
    if (w->labels[0] == UNKNOWN_AXIS) snprintf(words, WORDS, "%zu", i);
    for (size_t k = 0; k < w->n_axes && w->labels[k] != UNKNOWN_AXIS && used < WORDS;
         k++) {
        used += (size_t)snprintf(words + used, WORDS - used, "%s%s %zu", k ? ", " : "",
                                 w->axes[k].index,
                                 first_along(w, k) + index_along(w, i, k));
    }
}

const char *place_in_words(const char *what, size_t n, size_t i) {
    static char words[WORDS];
    Wrong w = {.n = n};
    take_axes(&w, what);
    element_in_words(&w, i, words);
    return words;
}

static bool is_right(const Comparison *c, size_t i, double allowed) {
    if (!isfinite(c->expected[i])) {
        return isnan(c->expected[i]) ? isnan(c->got[i]) : c->got[i] == c->expected[i];
    }
    return fabs(c->got[i] - c->expected[i]) <= allowed;
}

static bool explain_plainly(Explanation *explanation, const Comparison *c) {
    *explanation = (Explanation){0};
    Wrong w = {c->got,
               c->expected,
               c->n,
               .largest = largest_of(c->expected, c->n),
               .tolerance = c->tolerance,
               .start = c->start,
               .explanation = explanation};
    w.wrong = checked_alloc(c->n, sizeof *w.wrong);
    w.is_wrong = checked_alloc(c->n, sizeof *w.is_wrong);
    w.predicted = checked_alloc(c->n, sizeof *w.predicted);
    double allowed = c->tolerance * (w.largest > 0 ? w.largest : 1);
    bool finite = true;
    for (size_t i = 0; i < c->n; i++) {
        w.is_wrong[i] = !is_right(c, i, allowed);
        if (w.is_wrong[i]) {
            w.wrong[w.n_wrong++] = i;
            finite &= isfinite(c->got[i]);
        }
    }
    take_axes(&w, c->what);
    bool found = w.n_wrong > 0 && !finite && describe_not_finite(&w);
    for (size_t k = 0; k < sizeof descriptions / sizeof *descriptions &&
                       w.n_wrong > 0 && finite && !found;
         k++) {
        found = descriptions[k](&w);
    }
    if (!found) {
        char place[WORDS], nearly[WORDS];
        bool placed = where_wrong(&w, place),
             rounded = finite && nearly_right(&w, nearly);
        snprintf(explanation->words, sizeof explanation->words, "%s%s%s",
                 placed ? place : "", placed && rounded ? "; " : "",
                 rounded ? nearly : "");
        found = placed || rounded;
    }
    free(w.wrong);
    free(w.is_wrong);
    free(w.predicted);
    return found;
}

/* An intermediate value, where the test has inverted the function: "of the angle, every
 * number is 2 times too large". */
static bool explain_inside(Explanation *explanation, const Comparison *c) {
    for (size_t k = 0; k < known_facts()->n_insides; k++) {
        const Inside *inside = &known_facts()->insides[k];
        if (inside->n != c->n) continue;
        double *got = checked_alloc(c->n, sizeof *got),
               *right = checked_alloc(c->n, sizeof *right);
        for (size_t i = 0; i < c->n; i++) {
            bool usable = isfinite(inside->got[i]) && isfinite(inside->right[i]);
            got[i] = usable ? inside->got[i] : 0;
            right[i] = usable ? inside->right[i] : 0;
        }
        Comparison inner = {.what = c->what,
                            .got = got,
                            .expected = right,
                            .n = c->n,
                            .tolerance = inside->tolerance};
        Explanation plain;
        bool found = explain_plainly(&plain, &inner) && plain.pattern;
        free(got);
        free(right);
        if (!found) continue;
        explanation->pattern = true;
        snprintf(explanation->words, sizeof explanation->words, "of %s, %.500s",
                 inside->name, plain.words);
        return true;
    }
    return false;
}

bool explain(Explanation *explanation, const Comparison *c) {
    bool found = explain_plainly(explanation, c);
    return (found && explanation->pattern) || explain_inside(explanation, c) || found;
}
