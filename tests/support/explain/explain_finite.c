/* Numbers that are not finite: where, and which input makes them so. See wrong.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "base/memory.h"
#include "check/wrong.h"

bool describe_not_finite(Wrong *w) {
    bool *bad = checked_alloc(w->n, sizeof *bad);
    size_t n_bad = 0, unwritten = 0, cut = 0, infinite = 0, rightly = 0;
    for (size_t i = 0; i < w->n; i++) rightly += isinf(w->expected[i]) != 0;
    for (size_t k = 0; k < w->n_wrong; k++) {
        double got = w->got[w->wrong[k]];
        if (isfinite(got)) continue;
        bad[w->wrong[k]] = true;
        n_bad++;
        unwritten += is_start_nan(got);
        infinite += isinf(got) != 0;
        cut += is_cut_nan(got);
    }
    const char *kind = "NaN: 0/0, inf/inf, inf - inf, inf * 0, a root or logarithm "
                       "of a negative number, or memory that was never written";
    if (unwritten == n_bad)
        kind = "never written, or made of what was never written";
    else if (cut > 0 && unwritten + cut == n_bad)
        kind = "written in part, or not at all: numbers are counted where bytes are "
               "(sizeof)";
    else if (infinite == n_bad && rightly > 0)
        kind = "infinite, and should not be";
    else if (infinite == n_bad)
        kind = "infinite: an overflow, a division by 0, a logarithm of 0, or set so";
    else if (infinite > 0)
        kind = "infinite or NaN: an overflow, a division by 0, a logarithm of 0, 0/0 "
               "or inf - inf";
    char words[WORDS] = "";
    bool placed =
        n_bad < w->n && (where(w, bad, words) || where_by_input(w, bad, words));
    const char *who = n_bad == w->n ? "every number" : "numbers";
    snprintf(w->explanation->words, sizeof w->explanation->words, "%s%s%s %s %s%s", who,
             !placed                           ? ""
             : strncmp(words, "where", 5) == 0 ? " just "
                                               : " at ",
             words, n_bad == w->n ? "is" : "are", kind,
             n_bad < w->n_wrong ? "; others are wrong too" : "");
    w->explanation->pattern = true;
    free(bad);
    return true;
}
