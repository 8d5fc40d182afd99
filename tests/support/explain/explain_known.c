/* A known array has got in, or has been left out: see wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "check/wrong.h"

typedef enum {
    FACTOR_MORE,
    FACTOR_LESS,
    TERM_MORE,
    TERM_LESS,
    TERM_TURNED,
    ITSELF,
    NEGATED,
    ONE_OVER,
    BY_ONE
} Change;

static const struct {
    Change change;
    const char *words;
} changes[] = {{ITSELF, "is %s"},
               {NEGATED, "is -%s"},
               {FACTOR_MORE, "has the factor %s once too often"},
               {FACTOR_LESS, "lacks the factor %s"},
               {TERM_MORE, "has %s added once too often"},
               {TERM_LESS, "lacks the term %s, or it is subtracted once too often"},
               {TERM_TURNED, "has the term %s with the wrong sign"},
               {ONE_OVER, "is 1 / %s"},
               {BY_ONE, "is multiplied by 1 + %s"}};

static double changed(Change change, double right, double a) {
    switch (change) {
    case FACTOR_MORE:
        return right * a;
    case FACTOR_LESS:
        return a == 0 ? NAN : right / a;
    case TERM_MORE:
        return right + a;
    case TERM_LESS:
        return right - a;
    case TERM_TURNED:
        return right - 2 * a;
    case ITSELF:
        return a;
    case NEGATED:
        return -a;
    case ONE_OVER:
        return 1 / a;
    case BY_ONE:
        return right * (1 + a);
    }
    return NAN;
}

static bool one_array(Wrong *w, const double *a, const char *name) {
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        for (size_t i = 0; i < w->n; i++)
            w->predicted[i] = changed(changes[c].change, w->expected[i], a[i]);
        if (explains(w, w->predicted, 1, changes[c].words, name)) return true;
    }
    return false;
}

typedef enum {
    FOR_FACTOR,
    FOR_TERM,
    PRODUCT,
    SUM,
    DIFFERENCE,
    QUOTIENT,
    MORE_IN_TERM,
    LESS_IN_TERM,
    COMBINATIONS
} Combination;

static const char *const combination_words[COMBINATIONS] = {
    "has the factor %s where %s belongs",
    "has the term %s where %s belongs",
    "is %s * %s",
    "is %s + %s",
    "is %s - %s",
    "is %s / %s",
    "has the factor %s once too often in the term %s",
    "lacks the factor %s in the term %s"};

static double combined(Combination how, double right, double a, double b) {
    switch (how) {
    case FOR_FACTOR:
        return b == 0 ? NAN : right / b * a;
    case FOR_TERM:
        return right - b + a;
    case PRODUCT:
        return a * b;
    case SUM:
        return a + b;
    case DIFFERENCE:
        return a - b;
    case QUOTIENT:
        return a / b;
    case MORE_IN_TERM:
        return right + b * (a - 1);
    case LESS_IN_TERM:
        return a == 0 ? NAN : right + b * (1 / a - 1);
    case COMBINATIONS:
        break;
    }
    return NAN;
}

static bool two_arrays(Wrong *w, const double *a, const char *name_a, const double *b,
                       const char *name_b) {
    for (Combination how = 0; how < COMBINATIONS; how++) {
        for (size_t i = 0; i < w->n; i++)
            w->predicted[i] = combined(how, w->expected[i], a[i], b[i]);
        if (explains(w, w->predicted, 1, combination_words[how], name_a, name_b))
            return true;
    }
    return false;
}

/* A wrong mask: every number is 0 or that of a, here and in the right numbers, but not
 * in the same places. */
static bool other_mask(Wrong *w, const double *a, const char *name) {
    double allowed = 2 * w->tolerance * largest_wrong(w, a, 0);
    size_t dropped = 0, should = 0;
    for (size_t i = 0; i < w->n; i++) {
        bool zero = fabs(w->got[i]) <= allowed,
             right_zero = fabs(w->expected[i]) <= allowed;
        if (!zero && fabs(w->got[i] - a[i]) > allowed) return false;
        if (!right_zero && fabs(w->expected[i] - a[i]) > allowed) return false;
        dropped += zero;
        should += right_zero;
    }
    if (dropped == w->n || should == 0 || should == w->n) return false;
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->got[i];
    char place[WORDS];
    bool located = where_wrong(w, place);
    return explains(w, w->predicted, 2,
                    "is 0 or %s, as it should be, but 0 stands in the wrong places: "
                    "%zu are 0, expected %zu%s%s",
                    name, dropped, should, located ? "; " : "", place);
}

/* The error is a multiple of a: the part along a is wrong. Right numbers that should be
 * wrong then, here and there, speak against it. */
static bool proportional(Wrong *w, const double *a, const char *name) {
    size_t best = w->wrong[0];
    for (size_t k = 0; k < w->n_wrong; k++) {
        if (fabs(a[w->wrong[k]]) > fabs(a[best])) best = w->wrong[k];
    }
    if (a[best] == 0) return false;
    double factor = (w->got[best] - w->expected[best]) / a[best];
    for (size_t i = 0; i < w->n; i++) w->predicted[i] = w->expected[i] + factor * a[i];
    char place[WORDS];
    if (!holds_everywhere(w, w->predicted) && !where_wrong(w, place)) return false;
    /* Of a term of the right numbers, so much is there. */
    double there = 1 + factor, times = there > 1 ? there : 1 / there;
    const char *size = times > 2 ? number_itself(times, 8 * w->tolerance) : NULL;
    if (size)
        return explains(w, w->predicted, 2,
                        "has the part along %s %.6g times too %s, and %.6g is %s", name,
                        times, there > 1 ? "large" : "small", times, size);
    size = number_itself(fabs(factor), 8 * w->tolerance);
    return explains(w, w->predicted, 2,
                    "is off by %.6g times %s%s%s: the part along %s is wrong", factor,
                    name, size ? ", and that is " : "", size ? size : "", name);
}

static bool try_all(Wrong *w, double *const *arrays, const char *const *names,
                    size_t n) {
    for (size_t a = 0; a < n; a++) {
        if (one_array(w, arrays[a], names[a])) return true;
    }
    for (size_t a = 0; a < n; a++) {
        if (other_mask(w, arrays[a], names[a])) return true;
    }
    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++) {
            if (a != b && two_arrays(w, arrays[a], names[a], arrays[b], names[b]))
                return true;
        }
    }
    for (size_t a = 0; a < n; a++) {
        if (proportional(w, arrays[a], names[a])) return true;
    }
    return false;
}

bool describe_by_known(Wrong *w) {
    double *arrays[MAX_KNOWN];
    const char *names[MAX_KNOWN];
    size_t n = 0;
    for (size_t k = 0; k < known_facts()->n_arrays; k++) {
        const Known *known = &known_facts()->arrays[k];
        arrays[n] = spread(w, known);
        names[n] = known->name;
        n += arrays[n] != NULL;
    }
    bool found = try_all(w, arrays, names, n);
    for (size_t k = 0; k < n; k++) free(arrays[k]);
    return found;
}
