/* Numbers that are not finite: where, and which input makes them so. See wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory.h"
#include "wrong.h"

/* The elements that are not finite stand where a known array is: not finite itself, 0, above or below a
 * limit. */
static bool caused_by(const Wrong *w, const bool *bad, const double *a, const char *name, char words[WORDS]) {
    double high = -INFINITY, low = INFINITY, good_high = -INFINITY, good_low = INFINITY;
    bool infinite = true, zero = true;
    for (size_t i = 0; i < w->n; i++) {
        infinite &= bad[i] == !isfinite(a[i]), zero &= bad[i] == (a[i] == 0);
        if (bad[i])
            high = fmax(high, a[i]), low = fmin(low, a[i]);
        else
            good_high = fmax(good_high, a[i]), good_low = fmin(good_low, a[i]);
    }
    if (infinite)
        snprintf(words, WORDS, "just where %s is not finite", name);
    else if (zero)
        snprintf(words, WORDS, "just where %s is 0", name);
    else if (low > good_high)
        snprintf(words, WORDS, "just where %s is %.4g or more", name, low);
    else if (high < good_low)
        snprintf(words, WORDS, "just where %s is %.4g or less", name, high);
    else
        return false;
    return true;
}

static bool input_at_fault(const Wrong *w, const bool *bad, size_t n_bad, char words[WORDS]) {
    if (n_bad < 3 || w->n - n_bad < 3) return false; /* so few are above a limit by chance */
    for (size_t k = 0; k < known_facts()->n_arrays; k++) {
        double *a = spread(w, &known_facts()->arrays[k]);
        bool found = a && caused_by(w, bad, a, known_facts()->arrays[k].name, words);
        free(a);
        if (found) return true;
    }
    return false;
}

bool describe_not_finite(Wrong *w) {
    bool *bad = checked_alloc(w->n, sizeof *bad);
    size_t n_bad = 0, unwritten = 0, infinite = 0, rightly = 0;
    for (size_t i = 0; i < w->n; i++) rightly += isinf(w->expected[i]) != 0;
    for (size_t k = 0; k < w->n_wrong; k++) {
        double got = w->got[w->wrong[k]];
        if (isfinite(got)) continue;
        bad[w->wrong[k]] = true, n_bad++;
        unwritten += is_start_nan(got), infinite += isinf(got) != 0;
    }
    const char *kind = unwritten == n_bad                 ? "never written, or made of what was never written"
                       : infinite == n_bad && rightly > 0 ? "infinite, and should not be"
                       : infinite == n_bad ? "infinite: an overflow, a division by 0, or set so"
                       : infinite > 0
                           ? "infinite or NaN: an overflow, a division by 0, 0/0 or inf - inf"
                           : "NaN: 0/0, inf - inf, inf * 0, or a root or logarithm of a negative number";
    char words[WORDS] = "";
    bool placed = n_bad < w->n && (where(w, bad, words) || input_at_fault(w, bad, n_bad, words));
    const char *who = n_bad == w->n ? "every number" : "numbers";
    snprintf(w->explanation->words, sizeof w->explanation->words, "%s%s%s %s %s%s", who,
             !placed                          ? ""
             : strncmp(words, "just", 4) == 0 ? " "
                                              : " at ",
             words, n_bad == w->n ? "is" : "are", kind, n_bad < w->n_wrong ? "; others are wrong too" : "");
    w->explanation->pattern = true;
    free(bad);
    return true;
}
